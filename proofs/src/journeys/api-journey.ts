import type { LiveCaption } from "@svc/contract/types";
import type { WholeProduct } from "../product/whole-product.ts";
import { findLeaks, talkInText } from "../talk/talks.ts";
import type { Talk, VoiceTalk } from "../talk/talks.ts";
import { asSeen, Visitor } from "../talk/visitor.ts";
import type { Screen } from "../talk/visitor.ts";
import { Caller } from "../voice/caller.ts";
import { playTalk } from "../voice/play-talk.ts";
import type { VoiceProduct } from "../voice/voice-product.ts";
import { awaitDelivered, judgeDelivered } from "./delivered.ts";
import type { Delivered, Expected } from "./delivered.ts";

/** A journey without a browser, over the SDK's HTTP and the live protocol, up to its judgement. */
interface ApiWalked {
  faults: string[];
  delivered: Delivered;
  expected: Expected;
}

const METADATA = { plan: "trial", seats: 12, note: "" };
const QUESTIONS = ["use_case", "monthly_visitors", "timeline"];

export async function walkInText(product: WholeProduct, talk: Talk): Promise<ApiWalked> {
  const { language } = talk;
  const { server, agentId } = product;
  const visitor = await Visitor.enter(server.url, { agentId, language, metadata: METADATA });
  const { screen } = visitor;
  await visitor.listen();
  await talkInText(
    {
      ask: (text) => visitor.say(text),
      lastHeard: () => screen.turns("assistant").at(-1)?.text ?? "",
      hasCard: () => screen.openCard?.kind === "email",
    },
    talk,
  );
  await visitor.confirmEmail(talk.email);
  if (!screen.hasEnded) await visitor.end();
  visitor.rate(5);
  const walked = await judge(product, { talk, screen, sessionId: visitor.sessionId });
  visitor.leave();
  const { faults, delivered } = walked;
  const { questions } = delivered.data.evaluation ?? {};
  const missing = QUESTIONS.filter((key) => questions?.[key]?.was_answered !== true);
  faults.push(...missing.map((key) => `${key} is not answered`));
  for (const kind of ["tool", "rating", "goal"]) {
    const events = await eventsOf(product, visitor.sessionId, kind);
    if (events.length === 0) faults.push(`no operator event of kind ${kind}`);
  }
  return walked;
}

export async function walkByVoice(
  onEnd: (clean: () => unknown) => void,
  product: VoiceProduct,
  talk: VoiceTalk,
): Promise<ApiWalked & Pick<Caller, "played">> {
  const { language } = talk;
  const { server, agentId } = product;
  const caller = await Caller.enter(server.url, { agentId, language, metadata: METADATA });
  onEnd(() => caller.close());
  await playTalk(caller, talk);
  const { sessionId, screen, played } = caller;
  const walked = await judge(product, { talk, screen, sessionId });
  const timings = await eventsOf(product, sessionId, "timings");
  walked.faults.push(...judgeTimings(screen.turns(), timings));
  return { ...walked, played };
}

async function judge(
  product: WholeProduct,
  {
    talk: { email, language },
    screen,
    sessionId,
  }: { talk: Talk | VoiceTalk; screen: Screen; sessionId: string },
): Promise<ApiWalked> {
  const delivered = await awaitDelivered(product, sessionId);
  const seen = screen.transcript();
  const metadata = { plan: "trial", seats: "12" };
  const expected = { sessionId, email, metadata, language, seen: asSeen(seen) };
  const { transcript } = delivered.data;
  const faults = judgeDelivered(delivered, expected);
  if (JSON.stringify(transcript) !== JSON.stringify(seen))
    faults.push("the transcript is not what was on the screen");
  if (screen.contents === 0) faults.push("nothing was shown");
  faults.push(...findLeaks(transcript, email).map((leak) => `leaked ${leak}`));
  return { faults, delivered, expected };
}

/** What the operator's log says of one kind. */
async function eventsOf(
  { stage }: WholeProduct,
  sessionId: string,
  kind: string,
): Promise<Record<string, unknown>[]> {
  const { rows } = await stage.database.pool.query<{ detail: Record<string, unknown> }>(
    "SELECT detail FROM session_events WHERE session_id = $1 AND kind = $2",
    [sessionId, kind],
  );
  return rows.map(({ detail }) => detail);
}

/** In this order, but for the transcript: the end of a turn may be decided before it is there. */
const STAGES = ["end_of_turn_ms", "first_token_ms", "first_audio_ms", "playback_ms"];

/** Whether each answer to something spoken was timed once, stage by stage. */
function judgeTimings(turns: LiveCaption[], timings: Record<string, unknown>[]): string[] {
  const answers = turns.filter(
    ({ role }, index) => role === "assistant" && turns[index - 1]?.role === "user",
  );
  return answers.flatMap(({ turn, text }) => {
    const found = timings.filter((one) => one["turn"] === turn);
    const isTimed = ([one]: typeof found): boolean => {
      const stages = STAGES.map((stage) => Number(one?.[stage] ?? Number.NaN));
      const isInOrder = stages.every((ms, index) => ms >= (stages[index - 1] ?? 0));
      return found.length === 1 && isInOrder && Number(one?.["transcript_ms"]) >= 0;
    };
    return isTimed(found) ? [] : [`"${text}" was timed as ${JSON.stringify(found)}`];
  });
}
