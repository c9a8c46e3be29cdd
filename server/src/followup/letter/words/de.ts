import type { LetterWords } from "../letter-language.ts";

export const words: LetterWords = {
  followUp: {
    subject: (brand) => `Ihr Gespräch mit ${brand}`,
    thanks: (agent, brand) =>
      `Vielen Dank für Ihr Gespräch mit ${agent}, dem KI-Guide von ${brand}.`,
    byAi: "Diese Zusammenfassung hat eine KI geschrieben. Sie kann Fehler enthalten.",
    noSummary:
      "Diesmal gibt es keine Zusammenfassung. Das ganze Gespräch finden Sie über den Link unten.",
    rights: "Ihr Gespräch lesen, herunterladen oder löschen",
    why: (brand, date) =>
      `Sie erhalten diese E-Mail, weil Sie am ${date} in einem Gespräch mit ${brand} diese Adresse angegeben haben.`,
    notYou:
      "Wenn Sie das nicht waren, hat jemand anders sie eingetragen. Über den Link oben können Sie das Gespräch löschen, über den Link unten diese E-Mails abbestellen.",
    unsubscribe: (brand) => `Keine solchen E-Mails mehr von ${brand}`,
  },
  deletion: {
    subject: {
      conversation: (brand) => `Gelöscht: Ihr Gespräch mit ${brand}`,
      everything: (brand) => `Gelöscht: Ihre Gespräche mit ${brand}`,
    },
    conversation: (brand, date) =>
      `Wie von Ihnen gewünscht, haben wir am ${date} Ihr Gespräch mit ${brand} gelöscht, mit allem, was davon aufbewahrt wurde.`,
    everything: (brand, date) =>
      `Wie von Ihnen gewünscht, haben wir am ${date} alle Gespräche mit ${brand} gelöscht, die unter Ihrer Adresse aufbewahrt wurden, mit allem, was dazugehörte.`,
    copies: (brand) =>
      `Kopien, die ${brand} schon in eigene Systeme übernommen hat, gehören nicht dazu. Bitte fragen Sie dazu ${brand}.`,
    receipt: "Beleg",
    last: "Der Beleg nennt Sie nicht. Dies ist die letzte E-Mail dazu.",
  },
};
