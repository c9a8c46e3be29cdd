import type { ModelMessage, ToolCall } from "#models";
import type { CommittedTurn } from "../conversation.ts";

/** What one request to a model brought: what was heard of it, and what it did. */
export interface Step {
  heard?: string;
  calls: { call: ToolCall; output: string }[];
}

/**
 * What was said and done so far, as the models are told it. The library's own record is not used for
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

  /** To be filled in as it happens. One that stays empty is never told. */
  beginStep(): Step {
    const step: Step = { calls: [] };
    this.#entries.push(step);
    return step;
  }

  /** All that either side has said. */
  said(): string[] {
    return this.#entries.flatMap((entry) =>
      "visitor" in entry ? [entry.visitor] : (entry.heard ?? []),
    );
  }

  messages(): ModelMessage[] {
    const told = this.#entries.map(messagesOf).filter((messages) => messages.length > 0);
    // In blocks, so that a provider can reuse what it has read for several turns.
    const left = Math.max(0, Math.ceil((told.length - MOST_TOLD) / BLOCK) * BLOCK);
    return told.slice(left).flat();
  }
}

/** What happened before is in the goal, as far as it matters. */
const MOST_TOLD = 40;
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
