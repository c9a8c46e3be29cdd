import type { PersonWords } from "./words.ts";

export const words: PersonWords = {
  rights: {
    title: (brand) => `Ihr Gespräch mit ${brand}`,
    intro: (agent, brand, date) =>
      `Sie haben am ${date} mit ${agent} gesprochen, dem KI-Guide von ${brand}. Hier sehen Sie, was davon aufbewahrt wird. Sie können es mitnehmen oder löschen.`,
    keepLink: "Wer den Link zu dieser Seite hat, kann das auch. Bitte geben Sie ihn nicht weiter.",
    said: "Was gesagt wurde",
    you: "Sie",
    cut: "Wo eine Zeile mit einem Strich endet, wurde unterbrochen. Aufbewahrt wird nur, was Sie gehört haben.",
    nothingSaid: "Es wurde nichts gesagt.",
    kept: "Was noch aufbewahrt wird",
    address: "Ihre Adresse",
    summary: "Zusammenfassung, von einer KI",
    fromPage: "Von der Website übermittelt",
    assessment: "Auswertung",
    assessmentIs: (brand) =>
      `Was eine KI für ${brand} aus dem Gespräch geschlossen hat. Wenn Sie es sehen möchten, fragen Sie bitte ${brand}.`,
    until: "Aufbewahrt bis",
    untilIs: (date) => `${date}. Danach wird es von selbst gelöscht.`,
    download: "Als Datei herunterladen (JSON)",
    delete: "Löschen",
    deleteConversation: "Dieses Gespräch löschen",
    deleteEverything: (address, brand) => `Alles unter ${address} bei ${brand} löschen`,
  },
  confirm: {
    conversation: "Dieses Gespräch löschen?",
    everything: (brand) => `Alles bei ${brand} löschen?`,
    goes: "Gelöscht wird, was gesagt wurde, und dazu die Zusammenfassung, die Auswertung, Ihre Adresse und alles andere von der vorigen Seite.",
    everythingGoes: (address, brand) =>
      `Gelöscht wird jedes Gespräch mit ${brand}, das unter ${address} aufbewahrt wird, mit allem, was dazugehört.`,
    final: "Das lässt sich nicht rückgängig machen.",
    copies: (brand) =>
      `Kopien, die ${brand} schon in eigene Systeme übernommen hat, werden damit nicht gelöscht. Bitte fragen Sie dazu ${brand}.`,
    yes: "Endgültig löschen",
    no: "Behalten",
  },
  deleted: {
    title: "Es ist gelöscht",
    conversation: (brand) => `Von Ihrem Gespräch mit ${brand} wird hier nichts mehr aufbewahrt.`,
    everything: (brand) => `Von Ihren Gesprächen mit ${brand} wird hier nichts mehr aufbewahrt.`,
    copies: (brand) =>
      `Kopien, die ${brand} vorher in eigene Systeme übernommen hat, gehören nicht dazu. Bitte fragen Sie dazu ${brand}.`,
    backups: "Aus Sicherungskopien verschwindet es, wenn diese ablaufen.",
    receipt: "Beleg",
    receiptIs: "Er zeigt, dass etwas gelöscht wurde und wann. Er nennt Sie nicht.",
  },
  unsubscribe: {
    title: (brand) => `Keine E-Mails mehr von ${brand}?`,
    question: (address, brand) =>
      `An ${address} geht dann keine Zusammenfassung eines Gesprächs mit ${brand} mehr, auch nicht nach einem weiteren Gespräch.`,
    yes: "Diese E-Mails abbestellen",
    doneTitle: "Sie erhalten keine solchen E-Mails mehr",
    done: (address, brand) =>
      `An ${address} wird keine Zusammenfassung eines Gesprächs mit ${brand} mehr geschickt. Eine E-Mail, die schon unterwegs ist, kann noch ankommen.`,
    unnamed: {
      title: "Keine solchen E-Mails mehr?",
      question:
        "Sie erhalten dann von diesem Absender keine Zusammenfassung eines Gesprächs mehr, auch nicht nach einem weiteren Gespräch.",
      done: "Sie erhalten von diesem Absender keine Zusammenfassung eines Gesprächs mehr. Eine E-Mail, die schon unterwegs ist, kann noch ankommen.",
    },
  },
  deadLink: {
    title: "Dieser Link führt nirgendwohin",
    why: "Das Gespräch wurde gelöscht, oder der Link kam unvollständig bei Ihnen an.",
    fix: "Wenn Sie es gelöscht haben, ist alles erledigt. Sonst öffnen Sie den Link aus der E-Mail bitte noch einmal vollständig.",
  },
  tooMany: {
    title: "Bitte etwas langsamer",
    why: "Dieser Link wurde in wenigen Sekunden sehr oft geöffnet.",
    fix: "Warten Sie einen Moment und öffnen Sie ihn dann noch einmal.",
  },
  unavailable: {
    title: "Diese Seite lässt sich gerade nicht anzeigen",
    why: "Bei uns ist etwas gestört. An Ihren Daten wurde nichts geändert, außer eine Seite hat es Ihnen gesagt.",
    fix: "Bitte versuchen Sie es in einigen Minuten noch einmal.",
  },
};
