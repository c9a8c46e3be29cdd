import type { ModelMessage, ToolCall } from "#models";
import type { CommittedTurn } from "../conversation.ts";

/** The outcome of one request to a model: the words that were heard, and the tool calls. */
export interface Step {
  heard?: string;
  calls: { call: ToolCall; output: string }[];
}

/**
 * The history of what was said and done, as the models get it. The library's own record is not used for
 * that: it orders by the time of day, which may go back, and it keeps what was never heard.
 */
export class Dialogue {
  readonly #entries: ({ visitor: string } | Step)[] = [];

  constructor(history: CommittedTurn[] = []) {
    for (const { role, content } of history) {
      if (role === "user") this.heardVisitor(content);
      else this.beginStep().heard = content;
    }
  }

  heardVisitor(text: string): void {
    this.#entries.push({ visitor: text });
  }

  /** The caller fills the step in as it happens. An empty step is left out of the messages. */
  beginStep(): Step {
    const step: Step = { calls: [] };
    this.#entries.push(step);
    return step;
  }

  /** Returns everything that either side has said. */
  said(): string[] {
    return this.#entries.flatMap((entry) =>
      "visitor" in entry ? [entry.visitor] : (entry.heard ?? []),
    );
  }

  messages(): ModelMessage[] {
    const told = this.#entries.map(messagesOf).filter((messages) => messages.length > 0);
    // Dropped in blocks, so that a provider's cache stays valid for several turns.
    const left = Math.max(0, Math.ceil((told.length - MAX_ENTRIES) / BLOCK) * BLOCK);
    return told.slice(left).flat();
  }
}

/** The goal message carries what matters of older entries. */
const MAX_ENTRIES = 40;
const BLOCK = 10;

function messagesOf(entry: { visitor: string } | Step): ModelMessage[] {
  if ("visitor" in entry) return [{ role: "user", content: entry.visitor }];
  const { heard, calls } = entry;
  if (calls.length === 0) return heard === undefined ? [] : [{ role: "assistant", content: heard }];
  return [
    {
      role: "assistant",
      ...(heard !== undefined && { content: heard }),
      toolCalls: calls.map(({ call }) => call),
    },
    ...calls.map(({ call, output }): ModelMessage => ({
      role: "tool",
      callId: call.id,
      content: output,
    })),
  ];
}
