import type { LadderWords } from "../ladder-words.ts";

export const fr: LadderWords = {
  rungs: {
    denied: [
      "Le micro est bloqué",
      "Vous pouvez écrire. Pour parler, autorisez le micro et appuyez de nouveau sur Parler.",
    ],
    dismissed: [
      "Le micro n'a pas été autorisé",
      "Vous pouvez écrire. Pour parler, appuyez de nouveau sur Parler et choisissez Autoriser quand votre navigateur le demande.",
    ],
    none: [
      "Aucun micro n'a été trouvé",
      "Vous pouvez écrire. Pour parler, branchez un micro et appuyez sur Parler.",
    ],
    busy: [
      "Le micro ne peut pas être utilisé",
      "Un autre programme l'utilise peut-être. Vous pouvez écrire, ou fermer ce programme et appuyer sur Parler.",
    ],
    insecure: [
      "Le micro n'est pas disponible ici",
      "Les navigateurs ne l'autorisent que sur les pages dont l'adresse commence par https. Vous pouvez écrire.",
    ],
    policy: [
      "Le micro n'est pas disponible ici",
      "Ce site l'a désactivé sur cette page. Vous pouvez écrire.",
    ],
    removed: [
      "Le micro a disparu",
      "Il a été débranché ou éteint. Vous pouvez écrire, ou le rebrancher et appuyer sur Parler.",
    ],
    sound: [
      "Le son n'a pas pu démarrer",
      "Vous pouvez écrire, ou appuyer sur Parler pour réessayer.",
    ],
  },
  help: {
    chrome: "Cliquez sur l'icône à gauche de l'adresse et activez le micro.",
    chromePhone: "Touchez l'icône à gauche de l'adresse, puis Autorisations, puis Micro.",
    firefox: "Cliquez sur le micro barré à gauche de l'adresse et levez le blocage.",
    safari: "Dans le menu Safari, choisissez Réglages pour ce site web et autorisez le micro.",
    safariPhone:
      "Touchez l'icône à gauche de l'adresse, puis Réglages du site web, et autorisez le micro.",
    other: "Cela se trouve dans les réglages de votre navigateur pour ce site.",
  },
  allowed: ["Le micro est maintenant autorisé", "Appuyez sur Parler pour continuer à voix haute."],
};
