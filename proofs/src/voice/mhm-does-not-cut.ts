import { transcribe } from "@svc/rehearsal";
import { quantile } from "../pipeline/quantile.ts";
import type { Claim } from "../runner/proof.ts";
import { LONG_SPEECH, SpeakingVisitor } from "./speaking-visitor.ts";
import type { Reaction } from "./speaking-visitor.ts";
import { LANGUAGES } from "./talk-stage.ts";
import type { TalkServer, TalkStage } from "./talk-stage.ts";
import { isSaid, scriptedUtterances, spokenUtterances } from "./utterances.ts";
import type { Utterance } from "./utterances.ts";

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
