/** The languages of our own mails. */
export type LetterLanguage = "en" | "de" | "fr" | "es";

/** The fixed texts of our mails. */
export interface LetterWords {
  followUp: {
    /** Subject and heading. */
    subject(brand: string): string;
    thanks(agent: string, brand: string): string;
    byAi: string;
    /** For a mail whose summary had to be removed. */
    noSummary: string;
    rights: string;
    why(brand: string, date: string): string;
    notYou: string;
    unsubscribe(brand: string): string;
  };
  deletion: {
    subject: { conversation(brand: string): string; everything(brand: string): string };
    conversation(brand: string, date: string): string;
    everything(brand: string, date: string): string;
    /** Copies at the customer, which our deletion does not reach. */
    copies(brand: string): string;
    receipt: string;
    last: string;
  };
}

/** The fixed texts of our mails in one language. */
export function letterWords(language: LetterLanguage): LetterWords {
  return { en, de, fr, es }[language];
}

/** The language of our mails to a visitor who spoke this one: English when we do not write theirs. */
export function letterLanguage(code: string): LetterLanguage {
  const [base = ""] = code.toLowerCase().split("-");
  return isWritten(base) ? base : "en";
}

/** "15 November 2026". In UTC, because we do not know the visitor's time zone. */
export function letterDate(at: Date, language: LetterLanguage): string {
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    dateStyle: "long",
    timeZone: "UTC",
  }).format(at);
}

const WRITTEN: readonly string[] = ["en", "de", "fr", "es"] satisfies LetterLanguage[];

function isWritten(base: string): base is LetterLanguage {
  return WRITTEN.includes(base);
}

const en: LetterWords = {
  followUp: {
    subject: (brand) => `Your conversation with ${brand}`,
    thanks: (agent, brand) => `Thank you for talking with ${agent}, the AI guide of ${brand}.`,
    byAi: "An AI wrote this summary. It may contain mistakes.",
    noSummary: "There is no summary this time. The whole conversation is behind the link below.",
    rights: "Read, download or delete your conversation",
    why: (brand, date) =>
      `You get this mail because you gave this address in a conversation with ${brand} on ${date}.`,
    notYou:
      "If that was not you, somebody else entered it. With the link above you can delete the conversation; the one below stops these mails.",
    unsubscribe: (brand) => `No more mails like this from ${brand}`,
  },
  deletion: {
    subject: {
      conversation: (brand) => `Deleted: your conversation with ${brand}`,
      everything: (brand) => `Deleted: your conversations with ${brand}`,
    },
    conversation: (brand, date) =>
      `As you asked, we deleted your conversation with ${brand} on ${date}, with everything that was kept of it.`,
    everything: (brand, date) =>
      `As you asked, on ${date} we deleted every conversation with ${brand} that was kept under your address, with everything that belonged to it.`,
    copies: (brand) =>
      `Copies that ${brand} has already taken into its own systems are not part of this. Please ask ${brand} about those.`,
    receipt: "Receipt",
    last: "The receipt does not name you. This is the last mail about it.",
  },
};

const de: LetterWords = {
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

const fr: LetterWords = {
  followUp: {
    subject: (brand) => `Votre conversation avec ${brand}`,
    thanks: (agent, brand) => `Merci d’avoir échangé avec ${agent}, le guide IA de ${brand}.`,
    byAi: "Ce résumé a été rédigé par une IA. Il peut contenir des erreurs.",
    noSummary:
      "Il n’y a pas de résumé cette fois. Le lien ci-dessous mène à toute la conversation.",
    rights: "Lire, télécharger ou supprimer votre conversation",
    why: (brand, date) =>
      `Vous recevez cet e-mail parce que vous avez indiqué cette adresse lors d’une conversation avec ${brand} le ${date}.`,
    notYou:
      "Si ce n’était pas vous, quelqu’un d’autre l’a saisie. Le lien ci-dessus vous permet de supprimer la conversation ; celui ci-dessous met fin à ces e-mails.",
    unsubscribe: (brand) => `Ne plus recevoir ces e-mails de ${brand}`,
  },
  deletion: {
    subject: {
      conversation: (brand) => `Supprimée : votre conversation avec ${brand}`,
      everything: (brand) => `Supprimées : vos conversations avec ${brand}`,
    },
    conversation: (brand, date) =>
      `Comme vous l’avez demandé, nous avons supprimé le ${date} votre conversation avec ${brand} et tout ce qui en était conservé.`,
    everything: (brand, date) =>
      `Comme vous l’avez demandé, nous avons supprimé le ${date} toutes les conversations avec ${brand} conservées sous votre adresse et tout ce qui s’y rattachait.`,
    copies: (brand) =>
      `Les copies que ${brand} a déjà reprises dans ses propres systèmes n’en font pas partie. Veuillez vous adresser à ${brand} à ce sujet.`,
    receipt: "Reçu",
    last: "Le reçu ne vous nomme pas. C’est le dernier e-mail à ce sujet.",
  },
};

const es: LetterWords = {
  followUp: {
    subject: (brand) => `Su conversación con ${brand}`,
    thanks: (agent, brand) => `Gracias por hablar con ${agent}, el guía de IA de ${brand}.`,
    byAi: "Este resumen lo ha escrito una IA. Puede contener errores.",
    noSummary: "Esta vez no hay resumen. En el enlace de abajo encontrará toda la conversación.",
    rights: "Leer, descargar o borrar su conversación",
    why: (brand, date) =>
      `Recibe este correo porque indicó esta dirección en una conversación con ${brand} el ${date}.`,
    notYou:
      "Si no fue usted, alguien más la escribió. Con el enlace de arriba puede borrar la conversación; con el de abajo deja de recibir estos correos.",
    unsubscribe: (brand) => `No recibir más correos como este de ${brand}`,
  },
  deletion: {
    subject: {
      conversation: (brand) => `Borrada: su conversación con ${brand}`,
      everything: (brand) => `Borradas: sus conversaciones con ${brand}`,
    },
    conversation: (brand, date) =>
      `Como pidió, el ${date} borramos su conversación con ${brand} y todo lo que se guardaba de ella.`,
    everything: (brand, date) =>
      `Como pidió, el ${date} borramos todas las conversaciones con ${brand} guardadas con su dirección y todo lo relacionado con ellas.`,
    copies: (brand) =>
      `No incluye las copias que ${brand} ya haya pasado a sus propios sistemas. Consulte a ${brand} por ellas.`,
    receipt: "Recibo",
    last: "El recibo no lleva su nombre. Este es el último correo al respecto.",
  },
};
