import * as z from "zod";
import type { Story } from "@svc/contract/types";

type Event = Story["events"][number];

/** What happened behind the turns of a conversation, in lines for people. */
export interface TurnEvents {
  /** By the turn's place in the conversation. */
  lines: Map<number, { title: string; text: string; isTrouble: boolean }[]>;
  /** Events that belong to no turn. */
  others: Event[];
}

/**
 * Finds the turn of each event that a reply writes. A reply begins with the state that the model was
 * told, and belongs to the first turn of the agent's that was heard after it; where nothing was heard,
 * to the turn before it.
 */
export function withTurns(
  conversation: Story["conversation"],
  events: Omit<Event, "turn">[],
): Event[] {
  const starts = events.filter(({ kind }) => kind === "state").map(({ at }) => at);
  let reply = -1;
  return events.map((event) => {
    if (event.kind === "state") reply += 1;
    else if (reply < 0 || !isOfReply(event)) return event;
    const turn = turnOf(conversation, starts[reply]!, starts[reply + 1]);
    return turn === undefined ? event : { ...event, turn };
  });
}

/** Lines for the events of each turn, reply by reply. */
export function turnEvents({ events }: Story): TurnEvents {
  const found: TurnEvents = { lines: new Map(), others: [] };
  const replies: Event[][] = [];
  for (const event of events) {
    if (event.turn === undefined) found.others.push(event);
    else if (event.kind === "state") replies.push([event]);
    else replies.at(-1)!.push(event);
  }
  for (const reply of replies) {
    const turn = reply[0]!.turn!;
    found.lines.set(turn, [...(found.lines.get(turn) ?? []), ...linesOf(reply)]);
  }
  return found;
}

/** What the visitor went to by themselves belongs to no turn. */
function isOfReply({ kind, detail }: Event): boolean {
  return TURN_KINDS.has(kind) && !(kind === "content_shown" && detail["by"] === "visitor");
}

const TURN_KINDS = new Set([
  "direction",
  "held",
  "second_try",
  "verifier",
  "search",
  "sources",
  "reply",
  "model_failed",
  "email_card",
  // They say once more what a direction has done.
  "content_shown",
  "question_heard",
  "question_answered",
  "timings",
]);

function turnOf(
  conversation: Story["conversation"],
  from: string,
  until = "9999",
): number | undefined {
  const answer = conversation.findIndex(
    ({ role, at = "" }) => role === "assistant" && at >= from && at < until,
  );
  if (answer >= 0) return answer;
  const before = conversation.findLastIndex(({ at }) => at !== undefined && at <= from);
  return before >= 0 ? before : undefined;
}

type Line = { title: string; text: string; isTrouble: boolean };

function linesOf(reply: Event[]): Line[] {
  const of = (kind: string): Event["detail"][] =>
    reply.filter((event) => event.kind === kind).map(({ detail }) => detail);
  const directions = of("direction").map((detail) => direction.parse(detail));
  const line = (title: string, texts: string[], isTrouble = false): Line[] =>
    texts.length === 0 ? [] : [{ title, text: texts.join("; "), isTrouble }];
  return [
    ...line("state", of("state").map(stateWords)),
    ...line("searched", of("search").map(searchWords)),
    ...line("sources", of("sources").map(searchWords)),
    ...line("did", directions.filter(({ done }) => done).map(directionWords)),
    ...line("refused", directions.filter(({ done }) => !done).map(directionWords), true),
    ...line("held", of("held").map(heldWords), true),
    ...line(
      "again",
      of("second_try").map(({ code }) => `second try, after ${String(code)}`),
    ),
    ...line("verifier", of("verifier").map(countsIn)),
    ...line(
      "card",
      of("email_card").map(({ state }) => `email ${String(state)}`),
    ),
    ...line(
      "failed",
      of("model_failed").map(({ model, why }) => `${String(model)}: ${String(why)}`),
      true,
    ),
    ...line("reply", of("reply").map(countsIn)),
  ];
}

/** An older release wrote other fields: what is missing is left out. */
const state = z.looseObject({
  language: z.string().optional(),
  mode: z.string().optional(),
  words: z.number().optional(),
  minutes_left: z.number().optional(),
  open: z.array(z.string()).default([]),
  asked: z.array(z.string()).default([]),
  answered: z.record(z.string(), z.unknown()).default({}),
  shown: z.array(z.string()).default([]),
  email: z.string().default("none"),
  mail: z.string().default("none"),
});

function stateWords(detail: Event["detail"]): string {
  const { data } = state.safeParse(detail);
  if (data === undefined) return JSON.stringify(detail);
  const { language, mode, words, minutes_left: minutes } = data;
  const list = (name: string, keys: string[]): string =>
    keys.length === 0 ? "" : `${name} ${keys.join(", ")}`;
  return [
    list("open", data.open),
    list("asked", data.asked),
    list("answered", Object.keys(data.answered)),
    list("shown", data.shown),
    data.email === "none" ? "" : `email ${data.email}`,
    data.mail === "none" ? "" : `mail ${data.mail}`,
    [language, mode].filter((one) => one !== undefined).join(" by "),
    words === undefined ? "" : `${words} words`,
    minutes === undefined ? "" : `${minutes} min left`,
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

const direction = z.looseObject({
  name: z.string().catch("?"),
  value: z.string().catch(""),
  done: z.boolean().catch(false),
  why: z.string().catch(""),
});

function directionWords({ name, value, why }: z.infer<typeof direction>): string {
  return `${name} ${value}`.trim() + (why === "" ? "" : ` (${why})`);
}

function heldWords({ code, try: attempt }: Event["detail"]): string {
  return attempt === 2 ? `${String(code)} (second try)` : String(code);
}

function searchWords({ sections }: Event["detail"]): string {
  const names = Array.isArray(sections) ? sections.map(String) : [];
  return names.length === 0 ? "nothing found" : names.join(", ");
}

/** `{"first_text_ms": 320, "tried_again": true}` as "first text 320 ms · tried again". */
function countsIn(detail: Event["detail"]): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== false && value !== 0)
    .map(([key, value]) => {
      const name = key.replace(/_ms$/, "").replaceAll("_", " ");
      if (value === true) return name;
      return `${name} ${Number(value).toLocaleString("en")}${key.endsWith("_ms") ? " ms" : ""}`;
    })
    .join(" · ");
}
