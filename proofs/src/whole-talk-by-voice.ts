import { awaitExported, awaitWebhook } from "./product/await-webhook.ts";
import { defineProof } from "./runner/proof.ts";
import { findLeaks } from "./talk/find-leaks.ts";
import { judgeTimings } from "./voice/judge-timings.ts";
import { judgeSound, judgeTranscript } from "./voice/judge-transcript.ts";
import type { TalkRecord } from "./voice/judge-transcript.ts";
import { withOneSentenceMore, withWholeAnswer } from "./voice/plant-words.ts";
import { playTalk } from "./voice/play-talk.ts";
import { BY_RECOGNISER, BY_TONES } from "./voice/read-sound.ts";
import { addVoiceProcess, openVoiceProduct } from "./voice/voice-product.ts";
import type { VoiceProduct } from "./voice/voice-product.ts";
import { ENGLISH, GERMAN, linesOf } from "./voice/voice-talks.ts";
import type { VoiceTalk } from "./voice/voice-talks.ts";

export default defineProof({
  covers: [],
  claims: {
    "whole-talk-by-voice": {
      promise:
        "A spoken demo goes from its start to the signed webhook and the export, and its transcript is what the loudspeaker played",
      bound:
        "0 faults in English heard and spoken by models and in German with scripted ears, planted words are noticed",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const english = await openVoiceProduct(onEnd, { ears: "model", voice: "model" });
        // No recogniser of German can be installed offline: those ears know what is said.
        const german = await addVoiceProcess(onEnd, english, { ears: "scripted", voice: "tone" });
        german.speech.hears(linesOf(GERMAN));
        const talks = await Promise.all([
          talkAndJudge(english, ENGLISH, onEnd),
          talkAndJudge(german, GERMAN, onEnd),
        ]);
        for (const { record, faults } of talks) {
          say(`${record.talk.language}: ${faults.length === 0 ? "whole" : faults.join("; ")}`);
        }
        const planted = talks.flatMap(({ record }) => [
          withWholeAnswer(record),
          withOneSentenceMore(record),
        ]);
        const noticed = planted.filter((record) => judgeSound(record).length > 0).length;
        say(
          `control: noticed ${noticed} of ${planted.length} transcripts with words that nobody heard`,
        );
        const faults = talks.flatMap((one) => one.faults);
        const turns = talks.reduce((sum, { record }) => sum + record.transcript.length, 0);
        return {
          figure: `${faults.length} faults in ${turns} turns of ${talks.length} languages`,
          ok: faults.length === 0 && noticed === planted.length,
        };
      },
    },
  },
});

async function talkAndJudge(
  product: VoiceProduct,
  talk: Required<VoiceTalk>,
  onEnd: (clean: () => unknown) => void,
): Promise<{ record: TalkRecord; faults: string[] }> {
  const caller = await playTalk(product, talk, onEnd);
  const { sessionId, screen } = caller;
  const { data } = await awaitWebhook(product, sessionId);
  const exported = await awaitExported(product, sessionId);
  const reader = talk === ENGLISH ? BY_RECOGNISER : BY_TONES;
  const { recent } = product.speech.requests();
  const record: TalkRecord = {
    talk,
    transcript: data.transcript ?? [],
    played: await Promise.all(
      caller.heard.map(async ({ pcm, end }) => ({
        words: await reader.wordsIn(pcm),
        isCut: end === "cleared",
      })),
    ),
    generated: recent.flatMap(({ what, text = "" }) => (what === "asked" ? [text] : [])).join(" "),
    reader,
  };
  const faults = judgeTranscript(record);
  faults.push(...judgeTimings(screen.turns(), await timingsOf(product, sessionId)));
  faults.push(...findLeaks(data.transcript, talk.email).map((leak) => `leaked ${leak}`));
  const check = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  const shown = JSON.stringify(screen.transcript());
  check(JSON.stringify(data.transcript) === shown, "the transcript is not what was on the screen");
  check(JSON.stringify(data) === JSON.stringify(exported), "webhook and export differ");
  check(data.status === "processed", `status ${data.status}`);
  check(data.email === talk.email, `email ${data.email}`);
  check(data.metadata?.["email"] === talk.email, "metadata has no address");
  check(data.evaluation?.language === talk.language, `language ${data.evaluation?.language}`);
  check(screen.contents > 0, "nothing was shown");
  check(screen.hasEnded, "the goodbye did not end the session");
  return { record, faults };
}

async function timingsOf(
  { stage }: VoiceProduct,
  sessionId: string,
): Promise<Record<string, unknown>[]> {
  const { rows } = await stage.database.pool.query<{ detail: Record<string, unknown> }>(
    "SELECT detail FROM session_events WHERE session_id = $1 AND kind = 'timings'",
    [sessionId],
  );
  return rows.map(({ detail }) => detail);
}
