import { describe, expect, it } from "vitest";
import { ToolCallPieces } from "./streamed-answer.ts";

function whole(...pieces: { index?: number; id?: string; name?: string; args?: string }[]) {
  const calls = new ToolCallPieces();
  for (const { index, id = "", name = "", args = "" } of pieces)
    calls.add({ index, id, name, args });
  return calls.whole();
}

describe("tool calls that come in pieces", () => {
  it("are put together by their number", () => {
    expect(
      whole(
        { index: 0, id: "a", name: "show_content" },
        { index: 1, id: "b", name: "note_answer", args: '{"ques' },
        { index: 0, args: '{"id":"x"}' },
        { index: 1, args: 'tion":"q"}' },
      ),
    ).toEqual([
      { id: "a", name: "show_content", args: '{"id":"x"}' },
      { id: "b", name: "note_answer", args: '{"question":"q"}' },
    ]);
  });

  it("are each their own where the server gives no numbers and no ids", () => {
    expect(whole({ name: "end_session", args: "{}" }, { name: "ask_email", args: "{}" })).toEqual([
      { id: "call_0", name: "end_session", args: "{}" },
      { id: "call_1", name: "ask_email", args: "{}" },
    ]);
  });

  it("are nothing without a name", () => {
    expect(whole({ index: 0, args: "{}" })).toEqual([]);
  });
});
