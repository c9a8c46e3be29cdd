import type { PersonWords } from "./words.ts";

export const words: PersonWords = {
  rights: {
    title: (brand) => `Votre conversation avec ${brand}`,
    intro: (agent, brand, date) =>
      `Vous avez échangé avec ${agent}, le guide IA de ${brand}, le ${date}. Voici ce qui en est conservé. Vous pouvez l’emporter ou le supprimer.`,
    keepLink:
      "Toute personne qui a le lien de cette page peut en faire autant. Gardez-le pour vous.",
    said: "Ce qui a été dit",
    you: "Vous",
    cut: "Un tiret en fin de ligne marque une interruption. Seul ce que vous avez entendu est conservé.",
    nothingSaid: "Rien n’a été dit.",
    kept: "Ce qui est conservé d’autre",
    address: "Votre adresse",
    summary: "Résumé, rédigé par une IA",
    fromPage: "Transmis par le site",
    assessment: "Analyse",
    assessmentIs: (brand) =>
      `Ce qu’une IA a conclu de la conversation pour ${brand}. Adressez-vous à ${brand} si vous souhaitez la voir.`,
    until: "Conservé jusqu’au",
    untilIs: (date) => `${date}. Ensuite, tout est supprimé automatiquement.`,
    download: "Télécharger le fichier (JSON)",
    delete: "Supprimer",
    deleteConversation: "Supprimer cette conversation",
    deleteEverything: (address, brand) =>
      `Supprimer tout ce qui se rattache à ${address} chez ${brand}`,
  },
  confirm: {
    conversation: "Supprimer cette conversation ?",
    everything: (brand) => `Tout supprimer chez ${brand} ?`,
    goes: "Ce qui a été dit sera supprimé, ainsi que le résumé, l’analyse, votre adresse et tout ce que montre la page précédente.",
    everythingGoes: (address, brand) =>
      `Toutes les conversations avec ${brand} conservées sous ${address} seront supprimées, avec tout ce qui s’y rattache.`,
    final: "Cette suppression est définitive.",
    copies: (brand) =>
      `Les copies que ${brand} a déjà reprises dans ses propres systèmes ne seront pas supprimées. Veuillez vous adresser à ${brand} à ce sujet.`,
    yes: "Supprimer définitivement",
    no: "Conserver",
  },
  deleted: {
    title: "C’est supprimé",
    conversation: (brand) => `Plus rien de votre conversation avec ${brand} n’est conservé ici.`,
    everything: (brand) => `Plus rien de vos conversations avec ${brand} n’est conservé ici.`,
    copies: (brand) =>
      `Les copies que ${brand} avait déjà reprises dans ses propres systèmes n’en font pas partie. Veuillez vous adresser à ${brand} à ce sujet.`,
    backups: "Les sauvegardes l’abandonnent à leur expiration.",
    receipt: "Reçu",
    receiptIs: "Il montre qu’une suppression a eu lieu et quand. Il ne vous nomme pas.",
  },
  unsubscribe: {
    title: (brand) => `Ne plus recevoir d’e-mails de ${brand} ?`,
    question: (address, brand) =>
      `${address} ne recevra plus de résumé d’une conversation avec ${brand}, même après un nouvel échange.`,
    yes: "Arrêter ces e-mails",
    doneTitle: "Vous ne recevrez plus ces e-mails",
    done: (address, brand) =>
      `Plus aucun résumé d’une conversation avec ${brand} ne sera envoyé à ${address}. Un e-mail déjà parti peut encore arriver.`,
    unnamed: {
      title: "Ne plus recevoir ces e-mails ?",
      question:
        "Vous ne recevrez plus de résumé d’une conversation de la part de cet expéditeur, même après un nouvel échange.",
      done: "Cet expéditeur ne vous enverra plus aucun résumé d’une conversation. Un e-mail déjà parti peut encore arriver.",
    },
  },
  deadLink: {
    title: "Ce lien ne mène nulle part",
    why: "La conversation a été supprimée, ou le lien vous est parvenu incomplet.",
    fix: "Si vous l’avez supprimée, tout est fait. Sinon, ouvrez de nouveau le lien complet de l’e-mail.",
  },
  tooMany: {
    title: "Un peu plus lentement, s’il vous plaît",
    why: "Ce lien a été ouvert de nombreuses fois en quelques secondes.",
    fix: "Attendez un instant, puis ouvrez-le de nouveau.",
  },
  unavailable: {
    title: "Cette page ne peut pas être affichée pour le moment",
    why: "Il y a un problème de notre côté. Rien n’a changé dans vos données, sauf si une page vous l’a dit.",
    fix: "Veuillez réessayer dans quelques minutes.",
  },
};
