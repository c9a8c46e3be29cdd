import type { ModelMessage, ToolCall } from "#models";
import type { CommittedTurn } from "../conversation.ts";
import type { Fence } from "../prompt/told.ts";
import { withoutMarks, writeDirection } from "../signals/direction.ts";
import type { Direction } from "../signals/direction.ts";

/** The outcome of one request to a model: the words that were heard, what happened at them, and the searches. */
export interface Step {
  heard: string;
  /** Those that took effect, in their order. `at`: how many letters of the step were heard before it. */
  directions: { direction: Direction; at: number }[];
  calls: { call: ToolCall; output: string }[];
}

export interface RequestEnd {
  state: string;
  event?: string | undefined;
  secondTry?: { step: Step; said: Step } | undefined;
}

type Entry = { visitor: string } | { event: string; isSilence?: true } | Step;

/**
 * The history of what was said and done, as the models get it. The library's own record is not used for
 * that: it orders by the time of day, which may go back, and it keeps what was never heard.
 */
export class Dialogue {
  readonly #entries: Entry[] = [];
  readonly #fence: Fence;

  constructor(fence: Fence) {
    this.#fence = fence;
  }

  /** Adds turns of an earlier part. */
  addPast(turns: readonly CommittedTurn[]): void {
    for (const { role, content } of turns) {
      if (role === "user") this.heardVisitor(content);
      else this.beginStep().heard = content;
    }
  }

  heardVisitor(text: string): void {
    // Of a silence that ended before anything was said about it, a model would speak instead of answering.
    const last = this.#entries.findLastIndex((entry) => this.#messagesOf(entry).length > 0);
    if ("isSilence" in (this.#entries[last] ?? {})) this.#entries.splice(last, 1);
    this.#entries.push({ visitor: text });
  }

  happened(event: string): void {
    this.#entries.push({ event });
  }

  visitorSilent(secs: number): void {
    const event = `The visitor has been silent for ${secs} seconds.`;
    this.#entries.push({ event, isSilence: true });
  }

  /** The caller fills the step in as it happens. An empty step is left out of the messages. */
  beginStep(): Step {
    const step: Step = { heard: "", directions: [], calls: [] };
    this.#entries.push(step);
    return step;
  }

  /** What the agent has said, turn by turn. */
  agentSaid(): string[] {
    return this.#entries.flatMap((entry) =>
      "heard" in entry && entry.heard !== "" ? [entry.heard] : [],
    );
  }

  /**
   * The messages of a request. Chat templates of many models demand that user and assistant alternate,
   * that a user begins, and that no request ends with the assistant.
   *
   * @param more what follows the history in this request alone, the state at its end. `secondTry`: the
   * step that is under way, and what of it was let through so far, though not all of it was heard yet.
   */
  messages(more: RequestEnd): ModelMessage[] {
    const { step, said } = more.secondTry ?? {};
    const told = this.#entries
      .map((entry) => this.#messagesOf(said !== undefined && entry === step ? said : entry))
      .filter((messages) => messages.length > 0);
    // Dropped in blocks, so that a provider's cache stays valid for several turns.
    const left = Math.max(0, Math.ceil((told.length - MAX_ENTRIES) / BLOCK) * BLOCK);
    const messages = told.slice(left).flat();
    if (messages[0]?.role !== "user") messages.unshift(user(this.#fence.event(OPENING)));
    if (more.event !== undefined) messages.push(user(this.#fence.event(more.event)));
    // Behind a search the state stands where it stood: in the visitor's turn.
    if (messages.at(-1)?.role === "assistant") messages.push(user(this.#fence.event(GO_ON)));
    const merged = mergeRoles(messages);
    const last = merged.findLast((message) => message.role === "user")!;
    last.content += `\n\n${more.state}`;
    return merged;
  }

  #messagesOf(entry: Entry): ModelMessage[] {
    if ("visitor" in entry) return [user(withoutMarks(entry.visitor))];
    if ("event" in entry) return [user(this.#fence.event(entry.event))];
    const content = withDirections(entry);
    const { calls } = entry;
    if (calls.length === 0) return content === "" ? [] : [{ role: "assistant", content }];
    return [
      {
        role: "assistant",
        ...(content !== "" && { content }),
        toolCalls: calls.map(({ call }) => call),
      },
      ...calls.map(({ call, output }): ModelMessage => ({
        role: "tool",
        callId: call.id,
        content: withoutMarks(output),
      })),
    ];
  }
}

/** The state carries what matters of older entries. */
const MAX_ENTRIES = 40;
const BLOCK = 10;

const OPENING = "The visitor is here.";
const GO_ON = "Go on.";

function user(content: string): { role: "user"; content: string } {
  return { role: "user", content };
}

function mergeRoles(messages: ModelMessage[]): ModelMessage[] {
  const merged: ModelMessage[] = [];
  for (const message of messages) {
    const before = merged.at(-1);
    if (before?.role === "user" && message.role === "user")
      before.content += `\n\n${message.content}`;
    else if (before?.role === "assistant" && message.role === "assistant" && !before.toolCalls)
      merged[merged.length - 1] = {
        ...message,
        content: [before.content, message.content].filter((text) => text !== undefined).join(" "),
      };
    else merged.push({ ...message });
  }
  return merged;
}

/** The words with the directions where they took effect. */
function withDirections({ heard, directions }: Step): string {
  if (directions.length === 0) return heard.trim();
  const left = directions.toSorted((one, other) => one.at - other.at);
  let text = "";
  let letters = 0;
  for (const character of heard) {
    while (left.length > 0 && left[0]!.at <= letters && !/\s/.test(character))
      text += `${writeDirection(left.shift()!.direction)} `;
    text += character;
    if (!/\s/.test(character)) letters += 1;
  }
  return [text, ...left.map(({ direction }) => writeDirection(direction))].join(" ").trim();
}

/** The letters of a text without the space between them, as what was heard is counted. */
export function letterCount(text: string): number {
  return Array.from(text.replaceAll(/\s+/g, "")).length;
}
