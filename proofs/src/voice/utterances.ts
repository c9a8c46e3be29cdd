import { hum, speak } from "@svc/rehearsal";
import type { Language } from "./talk-stage.ts";

/** Something that visitors say while the agent speaks: its words, and a sound to say them with. */
export interface Utterance {
  text: string;
  pcm: Int16Array;
  isFiller: boolean;
}

/** So many of both kinds in one language. Ears that are told what they hear need no more than a sound. */
export function scriptedUtterances(language: Language, count: number): Promise<Utterance[]> {
  return pairs(count, async (index) => {
    const voice = voiceOf(index);
    // Another sound whenever the words come again.
    const sound = index + Math.floor(index / FILLERS[language].length);
    const [listening, speaking] = await Promise.all([
      hum(nth(HUMS, sound), { voice }),
      speak(nth(CALLS, sound), { voice }),
    ]);
    return [
      { text: nth(FILLERS[language], index), pcm: listening.pcm, isFiller: true },
      { text: nth(WORDS[language], index), pcm: speaking.pcm, isFiller: false },
    ];
  });
}

/** The same in English, said as they are written, for a recogniser that listens. */
export function spokenUtterances(count: number): Promise<Utterance[]> {
  return pairs(count, async (index) => {
    const voice = voiceOf(Math.floor(index / SPOKEN_FILLERS.length));
    const [filler, words] = [nth(SPOKEN_FILLERS, index), nth(SPOKEN_WORDS, index)];
    const [listening, speaking] = await Promise.all([
      speak(filler, { voice }),
      speak(words, { voice }),
    ]);
    return [
      { text: filler, pcm: listening.pcm, isFiller: true },
      { text: words, pcm: speaking.pcm, isFiller: false },
    ];
  });
}

/** Whether a recogniser's words are what was said. */
export function isSaid({ text }: Utterance, heard: string): boolean {
  const letters = (words: string): string => words.toLowerCase().replaceAll(/[^a-z]/g, "");
  return letters(heard) === letters(text);
}

/** Some become fillers only with their last word. */
const FILLERS: Record<Language, string[]> = {
  en: list(
    "Mhm.|That makes sense.|Okay.|I see.|Uh-huh.|Right, right.|Got it.|Oh, okay.|Sure.|Mm, interesting.",
  ),
  de: list("Mhm.|Genau.|Ach so.|Ja, ja.|Okay, gut.|Alles klar.|Stimmt.|Verstehe.|Aha.|Hm, ja."),
  fr: list(
    "Mm-hmm.|Tout à fait.|D'accord.|Je vois.|Ah, d'accord.|Très bien.|Oui, oui.|OK, parfait.|Bien sûr.|Voilà.",
  ),
  es: list("Ajá.|Claro que sí.|Vale.|Claro.|Ya veo.|Muy bien.|Mmm.|De acuerdo.|Ah, vale.|Sí, sí."),
};

const WORDS: Record<Language, string[]> = {
  en: list(
    "Stop.|Okay, but what does it cost?|No.|Wait a moment.|Yes, and how long does it take?|Can I ask something?|That is not what I meant.|Sorry, who are you?|Right, show me the prices.|Hold on.",
  ),
  de: list(
    "Stopp.|Ja, aber was kostet das?|Nein.|Moment mal.|Genau, und wie lange dauert es?|Darf ich etwas fragen?|Das meinte ich nicht.|Warten Sie bitte.|Okay, zeigen Sie mir die Preise.|Wer sind Sie?",
  ),
  fr: list(
    "Stop.|D'accord, mais combien ça coûte ?|Non.|Attendez.|Oui, et combien de temps ?|Je peux poser une question ?|Ce n'est pas ça.|Un instant.|OK, montrez-moi les prix.|Qui êtes-vous ?",
  ),
  es: list(
    "Para.|Vale, pero ¿cuánto cuesta?|No.|Espera.|Sí, ¿y cuánto tarda?|¿Puedo preguntar algo?|No quería decir eso.|Un momento.|Claro, enséñame los precios.|¿Quién eres?",
  ),
};

/** Phones of sounds that listeners make, short and long. */
const HUMS = list("m m hh m m|aa hh aa|m m m m|eh m m hh m");
const CALLS = list("Wait a moment.|Excuse me please.|Stop it now.|I have a question.");

const SPOKEN_FILLERS = list("Okay.|I see.|Right.|Sure.|Yeah.|Got it.|All right.|Oh, okay.");
const SPOKEN_WORDS = list(
  "Wait a moment please.|How much does it cost?|Stop.|Can I ask a question?|No, thank you.|Who made this?|Show me the prices.|Hold on a second.",
);

async function pairs(
  count: number,
  make: (index: number) => Promise<Utterance[]>,
): Promise<Utterance[]> {
  return (await Promise.all(Array.from({ length: count }, (_, index) => make(index)))).flat();
}

function list(texts: string): string[] {
  return texts.split("|");
}

function nth(texts: string[], index: number): string {
  return texts[index % texts.length]!;
}

function voiceOf(index: number): "rms" | "slt" {
  return index % 2 === 0 ? "rms" : "slt";
}
