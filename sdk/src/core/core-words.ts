/** The few words that widget and hero need before anything else is loaded. The specified defaults are not among them: they stay as they are. */
export interface CoreWords {
  /** One line of what happens behind the button. */
  about: string;
  collapse: string;
}

const WORDS: Record<string, CoreWords> = {
  en: {
    about: "An AI guide shows you around, in about five minutes.",
    collapse: "Make it small",
  },
  de: {
    about: "Ein KI-Guide zeigt Ihnen alles, in etwa fünf Minuten.",
    collapse: "Verkleinern",
  },
  fr: {
    about: "Un guide IA vous montre tout, en cinq minutes environ.",
    collapse: "Réduire",
  },
  es: {
    about: "Un guía de IA le muestra todo, en unos cinco minutos.",
    collapse: "Reducir",
  },
};

/** In the first of the visitor's languages that there are words in. */
export function coreWords(): CoreWords {
  const known = navigator.languages.map((code) => WORDS[code.slice(0, 2)]);
  return known.find((words) => words !== undefined) ?? WORDS["en"]!;
}
