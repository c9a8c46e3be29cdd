import type { LiveCaption, Session } from "@svc/contract/types";
import Papa from "papaparse";
import { awaitExported, awaitWebhook } from "../product/await-webhook.ts";
import type { WholeProduct } from "../product/whole-product.ts";
import { findLeaks, talkInText } from "../talk/talks.ts";
import type { Talk, VoiceTalk } from "../talk/talks.ts";
import { Visitor, asSeen } from "../talk/visitor.ts";
import type { Screen } from "../talk/visitor.ts";
import { Caller, clipsOf, playTalk } from "../voice/caller.ts";
import type { VoiceProduct } from "../voice/voice-product.ts";

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
  for (const kind of ["direction", "rating", "state"]) {
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
  const clips = await clipsOf(talk);
  const caller = await Caller.enter(server.url, { agentId, language, metadata: METADATA });
  onEnd(() => caller.close());
  await playTalk(caller, clips, talk.email);
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

/** What the customer gets of a session: by webhook, its signature checked, and in both exports. */
export interface Delivered {
  data: Session;
  exported: Session;
  /** The session's row in the CSV. */
  cells: Record<string, string>;
}

/** What the visitor and the page know of it. */
export interface Expected {
  sessionId: string;
  email: string;
  metadata: Record<string, string>;
  language: string;
  /** The turns that were on the screen before the end. */
  seen: string[];
}

export async function awaitDelivered(product: WholeProduct, sessionId: string): Promise<Delivered> {
  const { data } = await awaitWebhook(product, sessionId);
  const exported = await awaitExported(product, sessionId);
  const response = await fetch(`${product.server.url}/v1/sessions.csv`, {
    headers: { authorization: `Bearer ${product.customer.token}` },
  });
  const rows = Papa.parse<Record<string, string>>(await response.text(), { header: true });
  return { data, exported, cells: rows.data.find(({ id }) => id === sessionId) ?? {} };
}

/** What the customer got and was not so. */
export function judgeDelivered({ data, exported, cells }: Delivered, expected: Expected): string[] {
  const faults: string[] = [];
  const same = (what: string, one: unknown, other: unknown): void => {
    const [got, due] = [JSON.stringify(one), JSON.stringify(other)];
    if (got !== due) faults.push(`${what}: ${got} instead of ${due}`);
  };
  same("status", data.status, "processed");
  same("email", data.email, expected.email);
  for (const [key, value] of Object.entries({ ...expected.metadata, email: expected.email })) {
    same(`metadata ${key}`, data.metadata?.[key], value);
  }
  same("language", data.evaluation?.language, expected.language);
  same("transcript", asSeen(data.transcript).slice(0, expected.seen.length), expected.seen);
  same("JSON export", exported, data);
  same("email in the CSV", cells["email"], expected.email);
  same("metadata in the CSV", cells["metadata"], JSON.stringify(data.metadata));
  same("evaluation in the CSV", cells["evaluation"], JSON.stringify(data.evaluation));
  return faults;
}

/** How many of four wrong deliveries are noticed. */
export function plantedNoticed(delivered: Delivered, expected: Expected): string {
  const { data, exported, cells } = delivered;
  const planted: [Delivered, Expected][] = [
    [delivered, { ...expected, email: "somebody.else@example.com" }],
    [delivered, { ...expected, seen: [...expected.seen, "What nobody said."] }],
    [{ ...delivered, exported: { ...exported, status: "abandoned" } }, expected],
    [{ data, exported, cells: { ...cells, metadata: "{}" } }, expected],
  ];
  const noticed = planted.filter(([one, other]) => judgeDelivered(one, other).length > 0).length;
  return `${noticed} of ${planted.length}`;
}
