import type { Story } from "@svc/contract/types";
import { answerChart, answerTimes } from "../terminal/answer-chart.ts";
import { edgeWords, waitingWords } from "./export-edge.ts";
import { mailWords } from "./mail-page.ts";
import { facts, heading, oneLine, table, tone, wrap } from "../terminal/terminal.ts";
import type { Terminal, Tone } from "../terminal/terminal.ts";
import { duration, moment } from "../terminal/times.ts";
import { turnEvents } from "./turn-events.ts";

/** One session to read from top to bottom: facts, what was said, what was made of it. */
export function renderStory(story: Story, terminal: Terminal): string {
  const { lines: behind, others } = turnEvents(story);
  return [
    [heading(terminal, `Session ${story.id}`), factsOf(story, terminal)],
    section(terminal, "Conversation", conversation(story, terminal, behind)),
    section(terminal, "Answers", answers(story, terminal)),
    section(terminal, "Events", events(story, terminal, others)),
    section(terminal, "Evaluations", evaluations(story, terminal)),
    section(
      terminal,
      "Summary",
      story.summary === undefined ? [] : [paragraph(story.summary, terminal)],
    ),
    section(terminal, "Judgement", judgement(story, terminal)),
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

export const STATUS_TONE: Record<Story["status"], Tone> = {
  active: "warn",
  abandoned: "quiet",
  processed: "good",
  error: "bad",
};

function notice(
  terminal: Terminal,
  { accepted_at, received_at, other_text, recipients_sha256 }: NonNullable<Story["notice"]>,
): string {
  const words = [
    `accepted ${moment(terminal, accepted_at)}`,
    received_at && `received ${moment(terminal, received_at)}`,
    other_text && "another text than the agent's",
    recipients_sha256 && `list of recipients ${recipients_sha256.slice(0, 12)}`,
  ];
  return words.filter(Boolean).join(", ");
}

function factsOf(story: Story, terminal: Terminal): string {
  return facts(terminal, [
    ["status", story.status, STATUS_TONE[story.status]],
    ["account", `${story.account.name} (${story.account.client_id})`],
    ["agent", `${story.agent.slug}, version ${story.agent.version} (${story.agent.id})`],
    ["started", moment(terminal, story.created_at)],
    ["on", story.page],
    ["notice", story.notice && notice(terminal, story.notice)],
    ["spoken", story.language && `${story.language}, by ${story.mode ?? "text"}`],
    ["connect by", story.ended_at === undefined ? moment(terminal, story.connect_by) : undefined],
    ["ended", moment(terminal, story.ended_at)],
    ["ended by", story.end_reason],
    [
      "evaluate by",
      story.settled_at === undefined ? moment(terminal, story.evaluate_by) : undefined,
    ],
    ["settled", moment(terminal, story.settled_at)],
    ["error", story.error_reason],
    ["length", story.duration_secs === undefined ? undefined : duration(story.duration_secs)],
    ["cost", story.cost_micros === undefined ? undefined : (story.cost_micros / 1e6).toFixed(4)],
    ["email", emailWords(story)],
    ["mail", story.mail && `${story.mail.state}: ${mailWords(story.mail, terminal)}`],
    ...Object.entries(story.metadata).map(([key, value], index): [string, string] => [
      index === 0 ? "metadata" : "",
      `${key} = ${value}`,
    ]),
    ["export", exportWords(story, terminal)],
  ]);
}

function emailWords({ email, email_verified: verified }: Story): string | undefined {
  if (email === undefined || verified === undefined) return email;
  return `${email} (its domain ${verified ? "accepts" : "does not accept"} mail)`;
}

function exportWords(story: Story, terminal: Terminal): string {
  const { edge, waiting } = story;
  const held = edge === undefined ? "" : edgeWords(terminal, edge);
  switch (story.export.state) {
    case "exported":
      return "In the export.";
    case "held":
      return `Not yet. ${held} Readers who have passed that session get this one already.`;
    case "not_settled":
      return `Not yet: it waits for ${waiting === undefined ? "its end" : waitingWords(terminal, waiting)}. ${behindWords(story)}`;
    case "test":
      return "Never: it is a test session. Those are not exported, delivered or mailed.";
    case "missing":
      return "Missing, though the session is settled. That is a defect: report it.";
  }
}

function behindWords({ id, edge }: Story): string {
  if (edge?.session_id !== id) return "";
  return `Meanwhile it holds the export: ${edge.held.toLocaleString("en")} finished sessions wait behind it.`;
}

function section(terminal: Terminal, title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [heading(terminal, title), ...lines];
}

const WHO = { user: "visitor", assistant: "agent" } as const;

/** Each turn, and below it what the model was told and what became of its reply. */
function conversation(
  story: Story,
  terminal: Terminal,
  behind: ReturnType<typeof turnEvents>["lines"],
): string[] {
  return story.conversation.flatMap((turn, index) => {
    const offset = clock(story, turn.at);
    const who = WHO[turn.role].padEnd(7);
    const text = turn.interrupted ? `${turn.content} — (interrupted)` : turn.content;
    const lead = offset === "" ? "" : `${tone(terminal, "quiet", offset)}  `;
    const indent = (offset === "" ? 0 : offset.length + 2) + who.length + 2;
    const said = `${lead}${turn.role === "user" ? tone(terminal, "strong", who) : who}  ${wrap(text, terminal.width, indent)}`;
    const lines = (behind.get(index) ?? []).map(({ title, text: told, isTrouble }) => {
      const name = `${title.padEnd(LONGEST_TITLE)}  `;
      const words = wrap(oneLine(told), terminal.width, indent + name.length);
      return `${" ".repeat(indent)}${tone(terminal, "quiet", name)}${tone(terminal, isTrouble ? "warn" : "quiet", words)}`;
    });
    return [said, ...lines];
  });
}

const LONGEST_TITLE = "verifier".length;

const TIMINGS = "timings";

function answers(story: Story, terminal: Terminal): string[] {
  const timed = story.events.flatMap(({ at, kind, detail }) => {
    const times = kind === TIMINGS ? answerTimes(detail) : undefined;
    return times === undefined ? [] : [{ at: clock(story, at), times }];
  });
  return answerChart(timed, terminal);
}

function events(story: Story, terminal: Terminal, others: Story["events"]): string[] {
  const untold = others.filter(({ kind }) => kind !== TIMINGS);
  return untold.map(({ at, kind, detail }) => {
    const lead = `${clock(story, at)}  ${oneLine(kind)}  `;
    const text = Object.keys(detail).length === 0 ? "" : JSON.stringify(detail);
    return `${lead}${wrap(text, terminal.width, lead.length)}`.trimEnd();
  });
}

/** Minutes and seconds since the session's start. */
function clock(story: Story, at: string | undefined): string {
  if (at === undefined) return "";
  const secs = Math.max(0, Math.floor((Date.parse(at) - Date.parse(story.created_at)) / 1_000));
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${two(Math.floor(secs / 60))}:${two(secs % 60)}`;
}

const RUN_TONE = { pending: "warn", written: "good", failed: "bad" } as const;

function evaluations({ evaluations: runs }: Story, terminal: Terminal): string[] {
  if (runs.length === 0) return [];
  const count = (number: number | undefined): string => number?.toLocaleString("en") ?? "";
  return [
    table(terminal, runs, [
      { title: "VERSION", cell: (run) => String(run.version), align: "right" },
      { title: "STATE", cell: (run) => run.state, tone: (run) => RUN_TONE[run.state] },
      { title: "TOOK", cell: took, align: "right" },
      { title: "MODEL", cell: (run) => run.model ?? "" },
      { title: "TOKENS IN", cell: (run) => count(run.input_tokens), align: "right" },
      { title: "OUT", cell: (run) => count(run.output_tokens), align: "right" },
      { title: "LEFT OUT", cell: (run) => count(run.dropped?.length), align: "right" },
      { title: "FAILURE", cell: (run) => run.failure ?? "", flexible: true },
    ]),
    ...leftOut(runs.findLast(({ dropped }) => dropped !== undefined)),
  ];
}

/** Returns why claims of the model were dropped: each line names what the claim lacks. */
function leftOut(run: Story["evaluations"][number] | undefined): string[] {
  if (run?.dropped === undefined) return [];
  const lines = run.dropped.map(({ where, why }) => `  ${where}: ${why}`);
  return ["", `Left out of version ${run.version}, for want of evidence:`, ...lines];
}

function took(run: Story["evaluations"][number]): string {
  if (run.finished_at === undefined) return "";
  return duration((Date.parse(run.finished_at) - Date.parse(run.requested_at)) / 1_000);
}

/** Returns the evaluation, each value on its own line. */
function judgement({ evaluation }: Story, terminal: Terminal): string[] {
  const leaves = Object.entries(evaluation ?? {}).flatMap(([key, value]) => leavesOf(key, value));
  return leaves.length === 0 ? [] : [facts(terminal, leaves)];
}

function leavesOf(name: string, value: unknown): [string, string][] {
  if (typeof value === "boolean") return [[name, value ? "yes" : "no"]];
  if (typeof value === "string") return [[name, value]];
  if (typeof value !== "object" || value === null) return [[name, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(`${name}.${Array.isArray(value) ? Number(key) + 1 : key}`, inner),
  );
}

function paragraph(text: string, terminal: Terminal): string {
  return wrap(text, terminal.width, 0);
}
