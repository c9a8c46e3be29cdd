import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startNameServer } from "@svc/rehearsal";
import type { Talk } from "@svc/rehearsal";
import { language as spoken } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import { ROOT } from "../../runner/claims.ts";
import { count, quantile } from "../../runner/figures.ts";
import type { Outcome, Tools } from "../../runner/proof.ts";
import { markdownTable } from "../../runner/table.ts";
import { openStage } from "../../stage/stage.ts";
import { applyCorpus } from "./apply-corpus.ts";
import { CLOCK_OF_THE_TALK, playTalk } from "./play-talk.ts";
import type { PlayedTalk } from "./play-talk.ts";
import { sentencesOf } from "./score-turn.ts";

const REPORT = join(ROOT, "proofs/.out/natural-talks/live.md");
const REPLY_MS = 240_000;

/** Plays the visitors of the talks, one after the other, against the model that the shell names, and writes a report. */
export async function playLiveTalks({ say, progress, onEnd }: Tools): Promise<Outcome> {
  const models = modelsOfShell(process.env);
  const folder = process.env["SVC_CORPUS"] ?? join(ROOT, "proofs/corpus");
  const stage = await openStage();
  onEnd(() => stage.close());
  const names = await startNameServer();
  onEnd(() => names.close());
  const corpus = await applyCorpus(stage, folder);
  const talks = chosen(corpus.talks, process.env["SVC_TALKS"]);
  const live = await stage.startServer({
    ...models,
    SVC_ROLE: "live",
    SVC_SHUTDOWN_SECS: "1",
    SVC_DNS_SERVERS: names.server,
    NODE_OPTIONS: CLOCK_OF_THE_TALK,
  });
  // Nothing evaluates the sessions: that would cost, and is measured by `svc rubric score`.
  const api = await stage.startServer({
    SVC_LIVE_URL: `${live.url.replace("http", "ws")}/sdk/v1/live`,
  });
  const played: PlayedTalk[] = [];
  for (const talk of talks) {
    const signsOfLife = [talk.language, "en"].map(
      (language) => spoken.wordsOf([], language).spoken.sign_of_life,
    );
    const turns = talk.turns.map(() => ({ requests: 0, vetoes: 0, again: [], faults: [] }));
    const one = await playTalk(
      {
        serverUrl: api.url,
        agents: corpus.agents,
        model: { enter: () => ({ talk, turn: -1, turns }) },
        live: { replyMs: REPLY_MS, signsOfLife },
      },
      talk,
    );
    played.push(one);
    progress(played.length, talks.length, "talks");
  }
  // Whatever it still has to write is written then.
  await live.stop();
  const judged: JudgedTalk[] = [];
  for (const one of played) {
    const sources = await textsIn(join(folder, "agents", one.talk.agent));
    judged.push(judgeTalk(one, sources, await recordOf(one, stage.database)));
  }
  await mkdir(join(REPORT, ".."), { recursive: true });
  await writeFile(REPORT, reportOf(judged, models));
  for (const [what, figure] of sumsOf(judged)) say(`${what}: ${figure}`);
  const figure = `${judged.length} talks with ${modelOf(models)}, reported in ${REPORT}`;
  return { figure, ok: judged.some(({ turns }) => turns.some(({ isAnswered }) => isAnswered)) };
}

/** The product's own settings of models. Throws where they name none: the stand-in is never taken for one. */
export function modelsOfShell(shell: NodeJS.ProcessEnv): Record<string, string> {
  const named = Object.entries(shell).filter(([name]) =>
    /^SVC_(?:\w+_)?MODEL(?:_\w+)?$/u.test(name),
  );
  const models = Object.fromEntries(named) as Record<string, string>;
  if (models["SVC_MODEL_URL"] !== undefined && modelOf(models) !== "") return models;
  throw new Error(
    "No model is named, and --live plays against no stand-in by itself. Set SVC_MODEL_URL, SVC_CONVERSATION_MODEL, and SVC_MODEL_KEY where it needs one: see docs/guide/choosing-a-model.md.",
  );
}

function modelOf(models: Record<string, string>): string {
  return models["SVC_CONVERSATION_MODEL"] ?? models["SVC_EVALUATION_MODEL"] ?? "";
}

function chosen(talks: Talk[], parts: string | undefined): Talk[] {
  const wanted = parts?.split(",") ?? [""];
  const found = talks.filter(({ id }) => wanted.some((part) => id.includes(part)));
  if (found.length > 0) return found;
  throw new Error(
    `SVC_TALKS=${parts} names no talk. There are: ${talks.map(({ id }) => id).join(", ")}.`,
  );
}

/** What the server has stored about a session. */
interface SessionRecord {
  events: { kind: string; detail: Record<string, unknown> }[];
  usage: { input: number; output: number; costMicros: number };
}

async function recordOf({ sessionId }: PlayedTalk, { pool }: TestDatabase): Promise<SessionRecord> {
  const { rows: events } = await pool.query<SessionRecord["events"][number]>(
    "SELECT kind, detail FROM session_events WHERE session_id = $1 ORDER BY seq",
    [sessionId],
  );
  const { rows } = await pool.query<SessionRecord["usage"]>(
    'SELECT coalesce(sum(input_tokens), 0)::float AS input, coalesce(sum(output_tokens), 0)::float AS output, coalesce(sum(cost_micros), 0)::float AS "costMicros" FROM session_usage WHERE session_id = $1',
    [sessionId],
  );
  return { events, usage: rows[0]! };
}

async function textsIn(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files.flatMap((file) =>
    file.isFile() ? [readFile(join(file.parentPath, file.name), "utf8")] : [],
  );
  return (await Promise.all(texts)).join("\n");
}

export interface JudgedTalk {
  talk: Talk;
  turns: JudgedTurn[];
  /** What the server did not let the visitor hear, by the reason. */
  held: string[];
  failures: string[];
  ended: string;
  usage: SessionRecord["usage"];
}

interface JudgedTurn {
  visitor: string;
  read: string;
  isAnswered: boolean;
  isRefused: boolean;
  invented: string[];
  askedAgain: string[];
  /** Of the figures in the recorded answer. */
  told: { count: number; of: number };
  words: number;
  firstWordMs: number | undefined;
}

export function judgeTalk(played: PlayedTalk, sources: string, record: SessionRecord): JudgedTalk {
  const { talk, notes } = played;
  const recorded = talk.turns.flatMap(({ reply }) => trueIn(reply));
  const known = [sources, JSON.stringify(talk.metadata ?? {}), talk.today, ...recorded];
  const questions = new Set<string>();
  const turns = played.turns.map((turn, at): JudgedTurn => {
    const { visitor, action, reply } = talk.turns[at]!;
    const language = reply?.language ?? talk.language;
    known.push(visitor ?? "", action?.confirm_email ?? "");
    const isAnswered = !isFixed(turn.read, [talk.language, language]);
    const facts = figuresIn(trueIn(reply).join("\n")).filter(
      (figure) => !isKnown(figure, visitor ?? ""),
    );
    const told = facts.filter((fact) => isKnown(fact, turn.read)).length;
    const isSentAway = turn.opened.includes("person") && reply?.person === undefined;
    const asked = sentencesOf(turn.read, language).filter((one) => /[?？;؟]\W*$/u.test(one));
    const askedAgain = asked.filter((one) => questions.has(one.toLowerCase()));
    for (const one of asked) questions.add(one.toLowerCase());
    return {
      visitor: visitor ?? JSON.stringify(action),
      read: turn.read,
      isAnswered,
      isRefused:
        trueIn(reply).length > 0 && (!isAnswered || (facts.length === 0 ? isSentAway : told === 0)),
      invented: inventedIn(turn.read, known.join("\n")),
      askedAgain,
      told: { count: told, of: facts.length },
      words: wordsIn(turn.read, language),
      firstWordMs: turn.firstWordMs,
    };
  });
  const of = (kind: string): Record<string, unknown>[] =>
    record.events.flatMap((event) => (event.kind === kind ? [event.detail] : []));
  turns.at(-1)?.askedAgain.push(...askedThoughAnswered(of("direction")));
  const end = notes.find(({ what }) => /ended|broken off/u.test(what));
  return {
    talk,
    turns,
    held: of("held").map(({ code }) => String(code)),
    failures: of("model_failed").map(({ why }) => String(why)),
    ended: end === undefined ? "well" : `${end.what}: ${end.text}`,
    usage: record.usage,
  };
}

type RecordedReply = Talk["turns"][number]["reply"];

function trueIn(reply: RecordedReply): string[] {
  return (reply?.sentences ?? []).flatMap(({ say, must }) => (must === "pass" ? [say] : []));
}

/** Nothing, or a phrase that the server says where no model has words. */
function isFixed(read: string, languages: string[]): boolean {
  const fixed = [...languages, "en"].flatMap((language) =>
    Object.values(spoken.wordsOf([], language).spoken),
  );
  return fixed.reduce((rest, phrase) => rest.replaceAll(phrase, ""), read).trim() === "";
}

/** The keys of questions that the model asked after it had noted their answer. */
function askedThoughAnswered(directions: Record<string, unknown>[]): string[] {
  const noted = new Set<unknown>();
  return directions.flatMap(({ name, value, done }) => {
    if (name === "got" && done === true) noted.add(value);
    return name === "ask" && noted.has(value) ? [`${String(value)} (answered before)`] : [];
  });
}

/** Figures in digits, and links and addresses, that stand in no source. */
function inventedIn(text: string, sources: string): string[] {
  const links = Array.from(text.matchAll(LINK), ([link]) => link.replace(/[.,;:!?)]+$/u, ""));
  const rest = text.replaceAll(LINK, " ");
  return [
    ...links.filter((link) => !sources.toLowerCase().includes(link.toLowerCase())),
    ...figuresIn(rest).filter((figure) => !isKnown(figure, sources)),
  ];
}

const LINK = /(?:https?:\/\/|www\.)[^\s<>"'）」]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/giu;
const FIGURE = /\d+(?:[.,'’\u00A0\u202F]\d+| \d{3}(?!\d))*/gu;

function figuresIn(text: string): string[] {
  return Array.from(text.normalize("NFKC").matchAll(FIGURE), ([figure]) => figure);
}

function isKnown(figure: string, text: string): boolean {
  const known = new Set(figuresIn(text).flatMap(readings));
  return readings(figure).some((reading) => known.has(reading));
}

/** "1.900" is 1900 in one language and 1.9 in another. */
function readings(figure: string): string[] {
  const parts = figure.split(/\D/u);
  const last = parts.pop()!;
  const asFraction = parts.length === 0 ? last : `${parts.join("")}.${last}`;
  return [`${parts.join("")}${last}`, asFraction].map((one) => String(Number(one)));
}

function wordsIn(text: string, language: string): number {
  const segments = new Intl.Segmenter(language, { granularity: "word" }).segment(text);
  return Array.from(segments).filter(({ isWordLike }) => isWordLike).length;
}

/** The figures of a report, for one talk or for all. */
function sumsOf(judged: JudgedTalk[]): [what: string, figure: string][] {
  const turns = judged.flatMap((one) => one.turns);
  const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0);
  const answered = turns.filter(({ isAnswered }) => isAnswered);
  const held = judged.flatMap((one) => one.held);
  const codes = [...Map.groupBy(held, (code) => code)].map(
    ([code, all]) => `${code} ${all.length}`,
  );
  const waits = answered.flatMap(({ firstWordMs }) => firstWordMs ?? []);
  const costMicros = sum(judged.map(({ usage }) => usage.costMicros));
  const [input, output] = (["input", "output"] as const).map((one) =>
    count(sum(judged.map(({ usage }) => usage[one]))),
  );
  const ms = (share: number): string => count(Math.round(quantile(waits, share)));
  return [
    ["answered", `${answered.length} of ${turns.length}`],
    ["refused wrongly", String(turns.filter(({ isRefused }) => isRefused).length)],
    ["invented, heard", String(sum(turns.map(({ invented }) => invented.length)))],
    ["held back", `${held.length}${codes.length === 0 ? "" : ` (${codes.join(", ")})`}`],
    [
      "recorded figures told",
      `${sum(turns.map(({ told }) => told.count))} of ${sum(turns.map(({ told }) => told.of))}`,
    ],
    ["asked again", String(sum(turns.map(({ askedAgain }) => askedAgain.length)))],
    ["ended well", `${judged.filter(({ ended }) => ended === "well").length} of ${judged.length}`],
    ["words a turn", (sum(turns.map(({ words }) => words)) / (turns.length || 1)).toFixed(0)],
    ["cost", costMicros === 0 ? "no price" : (costMicros / 1e6).toFixed(4)],
    ["tokens", `${input} in, ${output} out`],
    ["first word, ms", waits.length === 0 ? "none" : `${ms(0.5)}, slowest tenth ${ms(0.9)}`],
    ["requests that failed", String(sum(judged.map(({ failures }) => failures.length)))],
  ];
}

export function reportOf(judged: JudgedTalk[], models: Record<string, string>): string {
  const sums = sumsOf(judged);
  const { host } = new URL(models["SVC_MODEL_URL"]!);
  const rows = judged.map((one) => [one.talk.id, ...sumsOf([one]).map(([, figure]) => figure)]);
  return [
    `# Natural talks with ${modelOf(models)} at ${host}`,
    `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC. ${judged.length} talks in text, one after the other. Verifier: ${models["SVC_VERIFIER_MODEL"] ?? "the model itself"}. Fallback: ${models["SVC_CONVERSATION_FALLBACK_MODEL"] ?? models["SVC_EVALUATION_FALLBACK_MODEL"] ?? "none"}.`,
    "The visitors' words are recorded, so they do not respond to what the model says, and a talk may take odd turns. What each line means, and what it cannot find, is in docs/guide/choosing-a-model.md. Read a few talks below before you decide.",
    "## In sum",
    markdownTable(
      ["", "all talks"],
      sums.map((row) => [...row]),
    ).trim(),
    "## Talk by talk",
    markdownTable(["talk", ...sums.map(([what]) => what)], rows).trim(),
    ...judged.flatMap(talkOf),
  ].join("\n\n");
}

function talkOf({ talk, turns, ended, held, failures }: JudgedTalk): string[] {
  const lines = turns.map(({ visitor, read, firstWordMs, ...turn }) => {
    const remarks = [
      ...(turn.isRefused
        ? ["refused wrongly: the recorded agent answers this, from the same knowledge"]
        : []),
      ...turn.invented.map((one) => `invented, in no source: ${one}`),
      ...turn.askedAgain.map((one) => `asked again: ${one}`),
    ];
    const wait = firstWordMs === undefined ? "" : ` (${count(Math.round(firstWordMs))} ms)`;
    const said = [`**Visitor:** ${visitor}`, `**Agent**${wait}**:** ${read || "(nothing)"}`];
    return [...said, ...remarks.map((one) => `- ⚠ ${one}`)].join("\n\n");
  });
  const played = `${turns.length} of ${talk.turns.length} turns played`;
  const more = [
    ...(held.length > 0 ? [`held back: ${held.join(", ")}`] : []),
    ...new Set(failures.map((why) => `a request failed: ${why}`)),
  ];
  return [`## ${talk.id}`, ...lines, `Ended: ${ended}. ${[played, ...more].join("; ")}.`];
}
