import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import type { TestDatabase, VoiceVisitor } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { waitUntil } from "../browsers/wait-until.ts";
import { quantile } from "../runner/figures.ts";
import type { Claim, Outcome, Tools } from "../runner/proof.ts";
import { BY_TONES } from "./judge-transcript.ts";
import { LONG_SPEECH } from "./speaking-visitor.ts";
import { agentTurns, comeBack, socketOf } from "./talk-stage.ts";
import type { TalkServer, TalkStage } from "./talk-stage.ts";

const MAX_MS = 3_000;
const CALLS_AT_ONCE = 6;
const QUESTION = "How do I add it to my page?";
const TYPED = "And what does it cost?";
const ASKS_FOR_MAIL = "Send me something, please.";
const PICKED_UP = "Let me go on from there.";
/** What a browser takes for a server that hangs: three of its pings. */
const HANGS_AFTER_MS = 1_600;
/** Words that are not said while nobody is to be there yet. */
const THINKS_MS = 700;
const PATIENCE_MS = 20_000;
const SPEECH = { ears: "scripted", voice: "tone", otherwise: QUESTION } as const;

/** What is under way when the process dies. */
const MOMENTS = [
  "the agent speaks",
  "the visitor speaks",
  "before the answer",
  "a card is open",
  "in text, before the answer",
  "in text, the agent writes",
] as const;
type Moment = (typeof MOMENTS)[number];

interface Survivor {
  moment: Moment;
  visitor: VoiceVisitor;
  isText: boolean;
  /** What the visitor said, typed or by voice, in order. */
  said: string[];
  /** When the words that the death cut off, or kept from coming, are due from. */
  dueAt: number;
  wordsAfterMs: number | undefined;
  /** Whether the card was on the screen again. */
  hasCard?: boolean;
  /** In text: what was on the screen of each of the agent's turns. */
  read: Map<string, string>;
}

// K2, K3, K15
export const callSurvivesKill: Claim<TalkStage> = {
  promise:
    "A call goes on when its process is killed or hangs, whatever was going on in it, on another process and with nothing lost or doubled.",
  bound: `next words ≤ ${MAX_MS / 1_000} s at p95, 0 turns lost, doubled or other than heard, 1 evaluation each; without what is stored of a turn under way it is noticed`,
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  prove: surviveKills,
};

async function surviveKills(tools: Tools, stage: TalkStage): Promise<Outcome> {
  const { seed, sized, say, progress, timeLeftMs, onEnd } = tools;
  const { database, model, serve } = stage;
  const kills = sized({ quick: 12, full: 500 });
  const { pcm: clip } = await speak(QUESTION);
  model.answers(answerTo, 100);
  const start = (): Promise<TalkServer> => serve(onEnd, SPEECH, { SVC_LIVE_CAPACITY: "400" });
  let owner = await start();
  const survive = async (count: number, signal: "SIGKILL" | "SIGSTOP", stream: number) => {
    const heir = await start();
    const random = new Random(seed, stream);
    const calls = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        reach(owner, MOMENTS[index % MOMENTS.length]!, clip),
      ),
    );
    model.holdBack(THINKS_MS);
    await Promise.all(calls.map((call) => bringTo(call, clip)));
    await delay(random.integer(0, 400));
    process.kill(owner.server.pid, signal);
    const diedAt = performance.now();
    model.holdBack(0);
    const url = socketOf(heir);
    await Promise.all(calls.map((call) => goOn(call, { url, diedAt, random })));
    if (signal === "SIGSTOP") process.kill(owner.server.pid, "SIGKILL");
    for (const call of calls) await finish(call);
    owner = heir;
    return calls;
  };

  const survived: Survivor[] = [];
  for (let round = 0; survived.length < kills && timeLeftMs() > 45_000; round += 1) {
    const count = Math.min(CALLS_AT_ONCE, kills - survived.length);
    survived.push(...(await survive(count, round % 2 === 0 ? "SIGKILL" : "SIGSTOP", round)));
    progress(survived.length, kills, "calls");
  }
  const faults = (await Promise.all(survived.map((call) => judge(database, call)))).flat();
  for (const fault of faults.slice(0, 20)) say(`wrong: ${fault}`);

  await database.pool.query(FORGET_SCENES);
  const forgotten = await survive(1, "SIGKILL", kills);
  await database.pool.query("DROP TRIGGER forget ON visits");
  const noticed = (await Promise.all(forgotten.map((call) => judge(database, call)))).flat();
  say(`control, nothing stored of a turn under way: ${noticed[0] ?? "not noticed"}`);

  const words = survived.flatMap(({ wordsAfterMs }) => wordsAfterMs ?? []);
  for (const moment of MOMENTS) {
    const own = survived.filter((call) => call.moment === moment);
    say(`${moment}: ${own.map(({ wordsAfterMs: ms }) => Math.round(ms ?? NaN)).join(", ")} ms`);
  }
  const p95 = quantile(words, 0.95);
  return {
    figure: `next words after ${Math.round(quantile(words, 0.5))} ms, p95 ${Math.round(p95)} ms, ${faults.length} faults in ${survived.length} calls`,
    ok: faults.length === 0 && p95 <= MAX_MS && words.length > 0 && noticed.length > 0,
    size: `${survived.length} calls`,
  };
}

// K15, V5
export const frozenOwnerIsFenced: Claim<TalkStage> = {
  promise:
    "A process that was frozen while another took its calls over stores nothing of them and says nothing when it runs again.",
  bound: "0 rows written, 0 messages and sounds sent; without the epoch it is noticed",
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ sized, seed, say, onEnd }, { database, model, serve }) => {
    const count = sized({ quick: 4, full: 40 });
    const { pcm: clip } = await speak(QUESTION);
    await database.pool.query(NOTE_WRITES);
    const thaw = async (calls: number): Promise<{ rows: number; sent: number }> => {
      const named = new URL(database.url);
      named.searchParams.set("application_name", FROZEN);
      const [owner, heir] = await Promise.all([
        serve(onEnd, SPEECH, { SVC_DATABASE_URL: named.href }),
        serve(onEnd, SPEECH),
      ]);
      model.answers(answerTo, 100);
      const frozen = await Promise.all(
        Array.from({ length: calls }, (_, index) => reach(owner, MOMENTS[index % 3]!, clip)),
      );
      model.holdBack(THINKS_MS);
      await Promise.all(frozen.map((call) => bringTo(call, clip)));
      process.kill(owner.server.pid, "SIGSTOP");
      await delay(HANGS_AFTER_MS);
      const random = new Random(seed, calls);
      const url = socketOf(heir);
      let sent = 0;
      const moveOn = async ({ visitor }: Survivor): Promise<void> => {
        // It stays open, and what still comes by it is counted.
        const { socket } = visitor.browser;
        socket.removeAllListeners("message");
        visitor.freeze();
        const isBack = await comeBack(visitor, () => url, { random, withinMs: PATIENCE_MS });
        if (!isBack) throw new Error("nobody took a call over");
        socket.on("message", () => (sent += 1)).resume();
      };
      await Promise.all(frozen.map(moveOn));
      await delay(100);
      await database.pool.query("DELETE FROM written");
      sent = 0;
      process.kill(owner.server.pid, "SIGCONT");
      await delay(AWAKE_MS);
      const { rows } = await database.pool.query<{ rows: number }>(
        "SELECT count(*)::integer AS rows FROM written",
      );
      process.kill(owner.server.pid, "SIGKILL");
      for (const { visitor } of frozen) visitor.close();
      return { rows: rows[0]!.rows, sent };
    };
    const fenced = await thaw(count);
    await database.pool.query(KEEP_OWNERS);
    const control = await thaw(1);
    await database.pool.query("DROP TRIGGER keep_owner ON visits");
    say(`control, without epochs: ${control.rows} rows written, ${control.sent} messages sent`);
    return {
      figure: `${fenced.rows} rows written, ${fenced.sent} messages and sounds sent by the process that was frozen`,
      ok: fenced.rows === 0 && fenced.sent === 0 && control.rows > 0 && control.sent > 0,
      size: `${count} calls`,
    };
  },
};

/** The last of these is what is asked; a call that was taken over is told so. */
function answerTo(said: string): string {
  if (said.includes("Take up where you stopped")) return PICKED_UP;
  if (said.startsWith(ASKS_FOR_MAIL)) return "Please fill in the card. ⟦email⟧";
  return LONG_SPEECH;
}

async function reach(owner: TalkServer, moment: Moment, clip: Int16Array): Promise<Survivor> {
  const isText = moment.startsWith("in text");
  const visitor = await (isText ? owner.join({ mode: "text" }) : owner.enter());
  const call: Survivor = {
    moment,
    visitor,
    isText,
    said: [],
    dueAt: 0,
    wordsAfterMs: undefined,
    read: new Map(),
  };
  if (isText) await visitor.browser.first("caption", ({ final }) => final);
  else await waitUntil(() => visitor.heard.at(-1)?.end !== undefined, PATIENCE_MS);
  if (moment === "a card is open") {
    await type(call, ASKS_FOR_MAIL);
    await visitor.browser.first("card", ({ card }) => card?.kind === "email");
    await waitUntil(() => visitor.heard.at(-1)?.end === "finished", PATIENCE_MS);
  } else if (moment === "the agent speaks") {
    call.said.push(QUESTION);
    await visitor.say(clip);
  }
  return call;
}

/** Brings a call to its moment, as all of them at about the same time. */
async function bringTo(call: Survivor, clip: Int16Array): Promise<void> {
  const { moment, visitor, said } = call;
  switch (moment) {
    case "the agent speaks":
      await waitUntil(() => isSpeaking(visitor, 600), PATIENCE_MS);
      return;
    case "the visitor speaks":
      said.push(QUESTION);
      // In the background: the death is in the middle of it.
      void visitor.say(clip).then(({ endedAt }) => (call.dueAt = endedAt));
      await delay(400);
      return;
    case "before the answer":
    case "in text, before the answer":
      await type(call, TYPED);
      return;
    case "in text, the agent writes":
      await type(call, TYPED);
      await visitor.browser.first("caption", ({ text }) => LONG_SPEECH.startsWith(text));
      return;
    case "a card is open":
      return;
  }
}

function isSpeaking({ heard }: VoiceVisitor, ms: number): boolean {
  const last = heard.at(-1);
  return last !== undefined && last.end === undefined && last.playedMs > ms;
}

async function type({ visitor, said }: Survivor, text: string): Promise<void> {
  said.push(text);
  visitor.browser.send({ type: "text", text });
  await visitor.browser.first(
    "caption",
    (one) => one.role === "user" && one.final && one.text === text,
  );
}

/** What the SDK does: it finds out, connects to whoever answers, and goes on. */
async function goOn(
  call: Survivor,
  { url, diedAt, random }: { url: string; diedAt: number; random: Random },
): Promise<void> {
  const { visitor, moment } = call;
  const segments = visitor.heard.length;
  await Promise.race([visitor.browser.closed(), delay(HANGS_AFTER_MS)]);
  readScreen(call);
  visitor.vanish();
  if (!(await comeBack(visitor, () => url, { random, withinMs: PATIENCE_MS }))) return;
  const { card, transcript } = visitor.welcome;
  if (moment === "a card is open") call.hasCard = card?.kind === "email";
  const last = transcript.at(-1);
  // Nothing is owed where an answer was complete.
  if (last?.role === "assistant" && last.interrupted !== true && moment !== "the visitor speaks") {
    call.dueAt = performance.now();
    await type(call, TYPED);
  }
  const heardAt = (): number | undefined => visitor.heard[segments]?.stretches[0]?.startedAt;
  const isAnswered = (): boolean =>
    visitor.browser.all("caption").some(({ role, text }) => role === "assistant" && text !== "");
  if (!(await waitUntil(() => (call.isText ? isAnswered() : heardAt() !== undefined), PATIENCE_MS)))
    return;
  call.dueAt = Math.max(call.dueAt, diedAt);
  call.wordsAfterMs = (heardAt() ?? performance.now()) - call.dueAt;
}

/** A turn whose final caption was shorter was cut there. */
function readScreen({ visitor, read }: Survivor): void {
  for (const { turn, role, text } of visitor.browser.all("caption"))
    if (role === "assistant") read.set(turn, text);
}

async function finish(call: Survivor): Promise<void> {
  const { visitor, isText } = call;
  const isOver = (): boolean =>
    isText || isSpeaking(visitor, 300) || visitor.heard.at(-1)?.end === "finished";
  await waitUntil(isOver, PATIENCE_MS);
  await visitor.leave();
  readScreen(call);
}

/** What is stored of a call and was not so. */
async function judge(database: TestDatabase, call: Survivor): Promise<string[]> {
  const { visitor, said, moment, wordsAfterMs } = call;
  const faults: string[] = [];
  if (call.hasCard === false) faults.push("the card is gone");
  if (wordsAfterMs === undefined) faults.push("no words came any more");
  const { rows } = await database.pool.query<{ content: string }>(
    "SELECT content FROM turns WHERE session_id = $1 AND role = 'user' ORDER BY seq",
    [visitor.id],
  );
  const stored = rows.map(({ content }) => content);
  if (stored.join() !== said.join())
    faults.push(`they said "${said.join()}", stored is "${stored.join()}"`);
  const turns = await agentTurns(database, visitor.id);
  if (call.isText) {
    const shown = [...call.read.values()];
    const unread = turns.find(({ content }) => !shown.some((text) => text.startsWith(content)));
    if (unread !== undefined) faults.push(`"${unread.content}" is stored and was never shown`);
    if (turns.length < 2) faults.push("no answer is stored");
  }
  const segments = visitor.heard.filter(({ playedMs }) => playedMs > 0);
  const heard = await Promise.all(segments.map(({ pcm }) => BY_TONES.wordsIn(pcm)));
  const spoken = heard.filter((words) => words.length > 0);
  if (turns.length !== spoken.length && !call.isText)
    faults.push(`${turns.length} turns of the agent's are stored, ${spoken.length} were heard`);
  for (const [index, { content }] of call.isText ? [] : turns.entries()) {
    const words = BY_TONES.wordsOf(content).length;
    const played = spoken[index]?.length ?? 0;
    // The tone of the last word may be incomplete.
    if (Math.abs(words - played) > 1)
      faults.push(`"${content}" is stored, and ${played} words were heard`);
  }
  const jobs = await database.pool.query(
    "SELECT 1 FROM pgboss.job WHERE name = 'session-ended' AND data->>'sessionId' = $1",
    [visitor.id],
  );
  if (jobs.rowCount !== 1) faults.push(`${jobs.rowCount} evaluations`);
  return faults.map((fault) => `${moment}: ${fault}`);
}

const FROZEN = "frozen";
/** Longer than the interval of a heartbeat. */
const AWAKE_MS = 3_000;

/** Every row that the frozen process writes of a session. */
const NOTE_WRITES = `
  CREATE TABLE written (of text);
  CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF current_setting('application_name') = '${FROZEN}' THEN INSERT INTO written VALUES (TG_TABLE_NAME); END IF;
    RETURN NULL;
  END $$;
  ${["sessions", "session_events", "session_usage", "turns", "visits"]
    .map(
      (table) =>
        `CREATE TRIGGER note AFTER INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION note_write();`,
    )
    .join("\n")}`;

/** The control: who takes a call over leaves no trace of it. */
const KEEP_OWNERS = `
  CREATE FUNCTION keep_owner() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.epoch = OLD.epoch; NEW.process_id = OLD.process_id; RETURN NEW; END $$;
  CREATE TRIGGER keep_owner BEFORE UPDATE ON visits FOR EACH ROW WHEN (OLD.process_id IS NOT NULL) EXECUTE FUNCTION keep_owner()`;

/** The control: nothing is known of the turn that was under way. */
const FORGET_SCENES = `
  CREATE OR REPLACE FUNCTION forget_scene() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.scene = NEW.scene - 'speech'; RETURN NEW; END $$;
  CREATE TRIGGER forget BEFORE UPDATE ON visits FOR EACH ROW EXECUTE FUNCTION forget_scene()`;
