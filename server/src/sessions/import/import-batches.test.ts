import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLines } from "./import-batches.ts";

async function linesOf(chunks: string[], maxBytes = 100): Promise<[number, string | undefined][]> {
  async function* stream(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield Buffer.from(chunk, "latin1");
  }
  const lines: [number, string | undefined][] = [];
  for await (const { number, bytes } of readLines(stream(), maxBytes)) {
    lines.push([number, bytes && Buffer.from(bytes).toString("latin1")]);
  }
  return lines;
}

describe("lines of a stream", () => {
  it("are numbered from 1, blank ones too", async () => {
    expect(await linesOf(["a\n\nb\r\nc\n"])).toEqual([
      [1, "a"],
      [2, ""],
      [3, "b\r"],
      [4, "c"],
    ]);
  });

  it("need no line feed at the end", async () => {
    expect(await linesOf(["a\nb"])).toEqual([
      [1, "a"],
      [2, "b"],
    ]);
    expect(await linesOf([])).toEqual([]);
  });

  it("are the same wherever the stream is cut", async () => {
    const text = fc.string({ unit: fc.constantFrom("\n", "\r", "x", "é") });
    const cuts = fc.array(fc.nat(20), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(text, cuts, async (whole, at) => {
        const ends = [...at.toSorted((a, b) => a - b), whole.length];
        const chunks = ends.map((end, index) =>
          whole.slice(index === 0 ? 0 : ends[index - 1], end),
        );
        const lines = whole.split("\n");
        if (lines.at(-1) === "") lines.pop();
        expect(await linesOf(chunks)).toEqual(lines.map((line, index) => [index + 1, line]));
      }),
    );
  });

  it("are left out when too long, and the next one is found", async () => {
    const long = "x".repeat(50);
    expect(await linesOf([`ok\n${long}`, long, `${long}\n`, "next\n", "123\n1234"], 3)).toEqual([
      [1, "ok"],
      [2, undefined],
      [3, undefined],
      [4, "123"],
      [5, undefined],
    ]);
  });
});
