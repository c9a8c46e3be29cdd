import { fold } from "#language";

/**
 * Returns whether a transcript only signals listening: "mhm", "okay", "genau". Said while the agent speaks,
 * that is no turn, and a lone "yes" is none either.
 */
export function isFiller(transcript: string, language: string): boolean {
  const [base = ""] = language.toLowerCase().split("-");
  const phrases = FILLERS.get(base) ?? ENGLISH;
  const words = fold(transcript).trim().split(" ");
  let at = 0;
  while (at < words.length) {
    const length = fillerLength(words, at, phrases);
    if (length === 0) return false;
    at += length;
  }
  return true;
}

const MAX_FILLER_WORDS = 3;

/** Returns the number of words of the longest filler that begins at a position. */
function fillerLength(words: string[], at: number, phrases: Set<string>): number {
  for (let length = MAX_FILLER_WORDS; length > 0; length -= 1) {
    if (phrases.has(words.slice(at, at + length).join(" "))) return length;
  }
  return HUM.test(words[at] ?? "") ? 1 : 0;
}

/** In every language: mm, mhm, hmm, uh, huh, um, erm, ähm, öh, ah, aha, oh, haha. */
const HUM = /^(?:|m+|m*h+m+|u+h+|h+u+h+|u+m+|e+r+m*|[eäö]+h+m*|a+h+|a+h+a+|o+h+|(?:ha)+h?)$/u;

const ENGLISH = fillers(
  "yes|yeah|yea|yep|yup|right|sure|exactly|true|indeed|correct|totally|absolutely|definitely",
  "of course|i see|got it|gotcha|i understand|understood|makes sense|that makes sense|fair enough",
  "good|very good|great|nice|cool|fine|perfect|awesome|wonderful|interesting|wow|sounds good",
  "all right|alright|go on|go ahead|keep going",
);

const FILLERS = new Map<string, Set<string>>([
  ["en", ENGLISH],
  [
    "de",
    fillers(
      "ja|jaja|jo|joa|jep|jup|genau|klar|alles klar|na klar|natürlich|sicher|stimmt|richtig|eben",
      "ach|ach so|achso|verstehe|ich verstehe|verstanden|in ordnung|alles gut|passt|tja",
      "gut|sehr gut|super|toll|prima|schön|perfekt|cool|interessant|wunderbar|weiter|nur weiter",
    ),
  ],
  [
    "fr",
    fillers(
      "oui|ouais|d'accord|voilà|exact|exactement|tout à fait|bien sûr|c'est ça|en effet|absolument",
      "effectivement|je vois|je comprends|compris|entendu|ça marche|ah bon|bah|ben|euh|heu|hum",
      "bien|très bien|bon|parfait|super|génial|cool|intéressant|continuez|allez-y",
    ),
  ],
  [
    "es",
    fillers(
      "sí|si|vale|claro|claro que sí|exacto|exactamente|correcto|cierto|por supuesto|así es|eso es",
      "ya|ya veo|entiendo|entendido|de acuerdo|ajá|listo|dale|este",
      "bien|muy bien|qué bien|bueno|perfecto|genial|estupendo|interesante|adelante|siga|continúe",
    ),
  ],
]);

function fillers(...lines: string[]): Set<string> {
  const phrases = ["ok|okay|o k|okey|oki", ...lines].flatMap((line) => line.split("|"));
  return new Set(phrases.map((phrase) => fold(phrase).trim()));
}
