import type { LetterWords } from "../letter-language.ts";

export const words: LetterWords = {
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
