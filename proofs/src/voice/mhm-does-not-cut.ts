import { hum, speak, transcribe } from "@svc/rehearsal";
import { quantile } from "../runner/figures.ts";
import type { Claim } from "../runner/proof.ts";
import { LONG_SPEECH, SpeakingVisitor } from "./speaking-visitor.ts";
import type { Reaction } from "./speaking-visitor.ts";
import { LANGUAGES } from "./talk-stage.ts";
import type { Language, TalkServer, TalkStage } from "./talk-stage.ts";

const MIN_KEPT = 0.95;
const RESUMED_WITHIN_MS = 1_000;
const STRANGE_FILLERS = 4;

/** One utterance into the agent's words, and what came of it. */
interface Try extends Reaction {
  utterance: Utterance;
  /** What the recogniser made of it. */
  heard: string;
}

export const mhmDoesNotCut: Claim<TalkStage> = {
  promise:
    "A visitor who says “mhm”, “genau” or “d'accord” is listening, and the agent goes on; one who says something cuts it.",
  bound: `≥ ${MIN_KEPT * 100} % of fillers kept or resumed within ${RESUMED_WITHIN_MS / 1_000} s, all real words cut, none wrong of what was heard right`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ full, sized, say, progress, timeLeftMs, onEnd }, { model, serve }) => {
    model.answers(() => LONG_SPEECH);
    const [scripted, listening] = await Promise.all([
      serve(onEnd, { ears: "scripted" }),
      serve(onEnd, { ears: "model" }),
      transcribe(new Int16Array(16_000)),
    ]);
    const eachKind = sized({ quick: 16, full: 160 });
    const german = await scriptedUtterances("de", STRANGE_FILLERS);
    const strange = german.filter(({ isFiller, text }) => isFiller && text !== "Mhm.");
    const total = 2 * eachKind + strange.length;
    let done = 0;
    let lastSaid: Promise<void> = Promise.resolve();

    async function tryAll(
      { enter }: TalkServer,
      language: string,
      utterances: Utterance[],
      interject: (visitor: SpeakingVisitor, utterance: Utterance) => Promise<Try>,
    ): Promise<Try[]> {
      const visitor = new SpeakingVisitor(await enter(language));
      const tries: Try[] = [];
      for (const utterance of utterances) {
        if (timeLeftMs() < 5_000) break;
        await visitor.listen();
        tries.push(await interject(visitor, utterance));
      }
      return tries;
    }

    /** A recogniser that is told what it hears: one speaks at a time, so that each is heard as it should be. */
    const sayScripted = (language: string, utterances: Utterance[]): Promise<Try[]> =>
      tryAll(scripted, language, utterances, async (visitor, utterance) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const before = lastSaid;
        lastSaid = promise;
        await before;
        scripted.speech.hears([utterance.text]);
        const reaction = await visitor.interject(utterance.pcm, resolve);
        progress((done += 1), total, "utterances");
        return { ...reaction, utterance, heard: utterance.text };
      });

    const sayAloud = (utterances: Utterance[]): Promise<Try[]> =>
      tryAll(listening, "en", utterances, async (visitor, utterance) => {
        const before = listening.speech.requests().recent.length;
        const reaction = await visitor.interject(utterance.pcm);
        const log = listening.speech.requests().recent.slice(before);
        const heard = log.flatMap(({ what, text }) => (what === "heard" && text ? [text] : []));
        return { ...reaction, utterance, heard: heard.join(" ") };
      });

    const [spoken, control, ...byLanguage] = await Promise.all([
      spokenUtterances(full ? 32 : 4).then(sayAloud),
      sayScripted("en", strange),
      ...LANGUAGES.map(async (language) =>
        sayScripted(language, await scriptedUtterances(language, eachKind / LANGUAGES.length)),
      ),
    ]);
    const tries = byLanguage.flat();
    for (const one of [...tries, ...spoken].filter((other) => !isRight(other))) say(told(one));
    const fillers = tries.filter(({ utterance }) => utterance.isFiller);
    const words = tries.filter(({ utterance }) => !utterance.isFiller);
    const [kept, cut] = [fillers.filter(isRight), words.filter(isRight)];
    const silencesMs = kept.map(({ resumedAfterMs }) => resumedAfterMs ?? 0);
    say(
      `silence by fillers: p50 ${quantile(silencesMs, 0.5).toFixed(0)} ms, most ${quantile(silencesMs, 1).toFixed(0)} ms`,
    );
    const wrong = spoken.filter((one) => !isRight(one));
    const misheard = wrong.filter(({ heard, utterance }) => !isSaid(utterance, heard));
    const noticed = control.filter(({ isCut }) => isCut).length;
    say(`control: ${noticed} of ${control.length} German fillers cut an agent that speaks English`);

    return {
      figure:
        `${kept.length} of ${fillers.length} fillers kept, ${cut.length} of ${words.length} real words cut; ` +
        `of ${spoken.length} spoken ones ${wrong.length - misheard.length} wrong, ${misheard.length} misheard`,
      ok:
        fillers.length >= 16 &&
        kept.length >= MIN_KEPT * fillers.length &&
        words.length >= 16 &&
        cut.length === words.length &&
        spoken.length > 0 &&
        misheard.length === wrong.length &&
        noticed > 0,
      size: `${tries.length} utterances in ${LANGUAGES.length} languages, ${spoken.length} spoken`,
    };
  },
};

function isRight({ utterance, isCut, silentAfterMs, resumedAfterMs = Infinity }: Try): boolean {
  if (!utterance.isFiller) return isCut;
  return !isCut && (silentAfterMs === undefined || resumedAfterMs <= RESUMED_WITHIN_MS);
}

function told({ utterance, heard, ...reaction }: Try): string {
  const { silentAfterMs, resumedAfterMs, isCut } = reaction;
  return `  “${utterance.text}” heard as “${heard}”: silent after ${silentAfterMs?.toFixed(0)}, resumed after ${resumedAfterMs?.toFixed(0)}, ${isCut ? "cut" : "not cut"}`;
}

/** Something that visitors say while the agent speaks: its words, and a sound to say them with. */
interface Utterance {
  text: string;
  pcm: Int16Array;
  isFiller: boolean;
}

/** So many of both kinds in one language. Ears that are told what they hear need no more than a sound. */
function scriptedUtterances(language: Language, count: number): Promise<Utterance[]> {
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
function spokenUtterances(count: number): Promise<Utterance[]> {
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
function isSaid({ text }: Utterance, heard: string): boolean {
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
