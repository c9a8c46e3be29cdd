import type { ToolCall } from "./chat-messages.ts";
import type { ToolCallPiece } from "./chat-chunk.ts";

/** Tool calls come in pieces, several calls beside each other. */
export class ToolCallPieces {
  readonly #calls = new Map<number, ToolCall>();

  add({ index = this.#calls.size, id, name, args }: ToolCallPiece): void {
    const begun = this.#calls.get(index) ?? { id: "", name: "", args: "" };
    this.#calls.set(index, {
      id: id || begun.id,
      name: begun.name + name,
      args: begun.args + args,
    });
  }

  /** In the order in which they began. */
  whole(): ToolCall[] {
    return [...this.#calls.values()]
      .filter(({ name }) => name !== "")
      .map((call, index) => ({ ...call, id: call.id || `call_${index}` }));
  }
}
