import type { LaterWords } from "../later-words.ts";

export const de: LaterWords = {
  timeWarning: "Es bleiben etwa {minutes} Minuten.",
  idleWarning: "Sind Sie noch da? Das Gespräch endet bald.",

  personText: "Hier erreichen Sie einen Menschen:",
  emailTitle: "Wohin dürfen wir Ihnen schreiben?",
  emailHelp: "Sie wird nur gespeichert, wenn Sie sie hier bestätigen.",
  emailLabel: "E-Mail-Adresse",
  emailConfirm: "Diese Adresse verwenden",
  emailDismiss: "Nein, danke",
  emailInvalid: "Das ist keine E-Mail-Adresse. Fehlt das @, oder ist ein Leerzeichen zu viel?",
  emailDone: "Danke. Wir schreiben an {email}.",
  microphone: "Mikrofon",
  testSession: "Dies ist eine Testsitzung: Sie wird nicht exportiert, zugestellt oder verschickt.",

  reasons: {
    visitor_ended: "Sie haben das Gespräch beendet.",
    agent_ended: "Das war die Demo.",
    silence: "Es war eine Weile still, deshalb ist das Gespräch zu Ende.",
    max_duration: "Die Zeit für ein Gespräch ist um.",
    max_cost: "Die Zeit für ein Gespräch ist um.",
    visitor_gone: "Die Verbindung ging verloren. Das Gespräch ist zu Ende.",
    server_fault: "Bei uns ist etwas schiefgegangen, deshalb endet das Gespräch hier.",
  },
  title: "Danke für Ihre Zeit",
  nextWithEmail: "Wir schreiben an {email}.",
  nextWithoutEmail: "Sie können jederzeit neu beginnen.",
  copy: "Gespräch kopieren",
  copied: "Kopiert",
  notCopied: "Ihr Browser lässt das Kopieren hier nicht zu",
  rate: "Wie war es?",
  stars: "{number} von 5",
  rated: "Danke.",
  close: "Schließen",
  again: "Noch einmal versuchen",

  trouble: {
    agent_unknown: "Diese Demo ist auf dieser Seite noch nicht eingerichtet.",
    agent_paused: "Diese Demo macht gerade Pause. Bitte kommen Sie später wieder.",
    origin_not_allowed: "Diese Demo steht auf dieser Seite nicht zur Verfügung.",
    at_capacity:
      "Gerade sind alle im Gespräch. Bitte versuchen Sie es in einer Minute noch einmal.",
    too_many_starts:
      "Aus Ihrem Netz wurden eben mehrere Demos gestartet. Bitte versuchen Sie es in einer Minute noch einmal.",
    daily_cap: "Die Demos für heute sind vergeben. Bitte kommen Sie morgen wieder.",
    service_unavailable:
      "Die Demo ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.",
    offline:
      "Sie sind offenbar offline. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.",
    elsewhere:
      "In einem anderen Tab ist eine Demo offen. Machen Sie dort weiter, oder schließen Sie sie zuerst.",
    moved: "Das Gespräch geht in einem anderen Tab weiter.",
  },
  troubleTitle: "Gerade nicht möglich",
};
