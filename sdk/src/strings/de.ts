import type { Strings } from "./strings.ts";

export const strings: Strings = {
  aiGuide: "KI-Guide",
  invitation: "Ich zeige Ihnen {brand} und beantworte Ihre Fragen. Das dauert etwa fünf Minuten.",
  talk: "Sprechen",
  write: "Schreiben",
  type: "Schreibend beginnen",
  cancel: "Jetzt nicht",
  language: "Sprache",

  connecting: "Verbindung wird aufgebaut",
  listening: "Sie sind dran",
  thinking: "Denkt nach",
  speaking: "Antwortet",
  reconnecting: "Verbindung wird wiederhergestellt",

  hears: "Hört zu",
  speaks: "Spricht. Reden Sie ruhig dazwischen.",
  muted: "Mikrofon aus",
  allow: "Bitte erlauben Sie das Mikrofon",
  mute: "Stumm",
  voiceGone: "Sprechen ist gerade nicht möglich, deshalb geht es schriftlich weiter.",

  conversation: "Gespräch",
  you: "Sie",
  message: "Ihre Nachricht",
  send: "Senden",
  end: "Beenden",
  minimize: "Verkleinern",
  restore: "Vergrößern",
  person: "Mit einem Menschen sprechen",
  about: "Über dieses Gespräch",
  close: "Schließen",

  contentFailed: "Das konnte nicht geladen werden.",

  unreachable: "Die Demo ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.",
};
