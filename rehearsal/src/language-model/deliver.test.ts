import { expect, test } from "vitest";
import { requestFor } from "../conversation/talk-under-test.ts";
import type { FaultKind } from "./fault.ts";
import { complete, modelUnderTest, post, said, showContent } from "./model-under-test.ts";

const pace = { firstTokenMs: 60, tokensPerSec: 100 };
const streamed = { ...said("Hello"), stream: true };

/** When each piece of the body arrived, from the request on. */
async function arrivals(response: Response, startedAt: number) {
  const pieces: { atMs: number; text: string }[] = [];
  let error: unknown;
  try {
    for await (const bytes of response.body!) {
      const text = Buffer.from(bytes).toString();
      pieces.push({ atMs: performance.now() - startedAt, text });
    }
  } catch (reason) {
    error = reason;
  }
  return { pieces, whole: pieces.map(({ text }) => text).join(""), error };
}

async function paced(fault: FaultKind | undefined, body: object = streamed, init?: RequestInit) {
  const model = await modelUnderTest({ pace, ...(fault && { faults: [{ kind: fault }] }) });
  const startedAt = performance.now();
  return arrivals(await post(model, body, init), startedAt);
}

test("a paced stream begins late and comes token by token, with the same bytes", async () => {
  const { pieces, whole } = await paced(undefined);
  const atOnce = await (await post(await modelUnderTest(), streamed)).text();
  expect(whole).toBe(atOnce);
  expect(pieces[0]!.atMs).toBeGreaterThan(55);
  expect(pieces.length).toBeGreaterThan(5);
  expect(pieces.at(-1)!.atMs - pieces[0]!.atMs).toBeGreaterThan(50);
});

test("an answer that is not streamed is not paced", async () => {
  const model = await modelUnderTest({ pace: { firstTokenMs: 60_000, tokensPerSec: 1 } });
  expect((await complete(model, said("Hello"))).choices[0].finish_reason).toBe("stop");
});

test("tool calls are paced too", async () => {
  const { whole } = await paced("tool_loop", { ...streamed, tools: [showContent] });
  expect(whole).toContain("show_content");
  expect(whole).toMatch(/\[DONE\]\n\n$/);
});

test("a paced stream stalls, or is cut, in its middle", async () => {
  const stalled = await paced("stall_midway", streamed, { signal: AbortSignal.timeout(600) });
  expect(stalled.whole).toMatch(/^data: /);
  expect(stalled.whole).not.toContain("[DONE]");
  expect(stalled.error).toMatchObject({ name: "TimeoutError" });
  const cut = await paced("cut_midway");
  expect(cut.whole).not.toContain("[DONE]");
  expect(cut.error).toBeInstanceOf(TypeError);
});

test.each<FaultKind>([
  "truncated",
  "empty",
  "refusal",
  "content_filter",
  "wrong_usage",
  "tool_loop",
])("%s is streamed to its end, tools or not", async (kind) => {
  const { whole } = await paced(kind, { ...requestFor(["Hello"]), stream: true });
  expect(whole).toMatch(/\[DONE\]\n\n$/);
});
