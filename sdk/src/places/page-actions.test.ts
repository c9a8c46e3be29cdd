import cases from "@svc/contract/fixtures/action-params.json" with { type: "json" };
import type { ActionParams } from "@svc/contract/types";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import type { SvcSDK } from "../published/sdk.d.ts";
import { fit, pageActions } from "./page-actions.ts";

type SvcActions = Parameters<SvcSDK["actions"]["register"]>[0];
type SvcAction = NonNullable<SvcActions[string]>;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A page that has registered some, and whose agent wants `open` and `close`. */
function page(...all: (SvcActions | null)[]) {
  vi.stubGlobal("window", { Svc: { actions: { all } }, setTimeout });
  const send = vi.fn<(message: object) => void>();
  const onRun = vi.fn<() => void>();
  const actions = pageActions({ send, onRun });
  actions.take({ type: "page", seq: 1, actions: ["open", "close"] });
  const run = (name: string, params: ActionParams = {}): void =>
    actions.take({ type: "action", seq: 2, cue: "c", name, params });
  return { all, send, onRun, run, take: actions.take };
}

const result = (state: string, text = ""): object => ({
  type: "action_result",
  cue: "c",
  state,
  text,
});

test("offers what is wanted and registered, also later, and no more", () => {
  const { all, send } = page({ open: { run: () => {} }, other: { run: () => {} } }, null);
  expect(send).toHaveBeenLastCalledWith({ type: "page_actions", names: ["open"] });
  all.push({ close: { run: () => {} }, open: null });
  expect(send).toHaveBeenLastCalledWith({ type: "page_actions", names: ["close"] });
});

test("runs the last one that was registered, and tells a text that it returns", async () => {
  const run = vi.fn<SvcAction["run"]>(async () => "x".repeat(600));
  const params = { rows: { type: "integer" as const } };
  const { send, onRun, run: ask } = page({ open: { run: () => {} } }, { open: { params, run } });
  ask("open", { rows: 3 });
  expect(onRun).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(send).toHaveBeenCalledWith(result("done", "x".repeat(500))));
  expect(run).toHaveBeenCalledExactlyOnceWith({ rows: 3 });
});

test("runs nothing that is not registered or not wanted, and nothing with other parameters", () => {
  const run = vi.fn<SvcAction["run"]>();
  const { send, onRun, run: ask } = page({ open: { run }, other: { run } });
  for (const name of ["close", "other", "constructor", "toString"]) {
    ask(name);
    expect(send).toHaveBeenLastCalledWith(result("missing"));
  }
  ask("open", { rows: 3 });
  expect(send).toHaveBeenLastCalledWith(result("refused"));
  expect(onRun).not.toHaveBeenCalled();
  expect(run).not.toHaveBeenCalled();
});

test("tells what fails or takes too long", async () => {
  vi.useFakeTimers();
  const fails = (): never => {
    throw new Error("no rights");
  };
  const { send, run } = page({ open: { run: fails }, close: { run: () => new Promise(() => {}) } });
  run("open");
  await vi.advanceTimersByTimeAsync(0);
  expect(send).toHaveBeenLastCalledWith(result("failed", "Error: no rights"));
  run("close");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(send).toHaveBeenLastCalledWith(result("failed", "Error: It took too long."));
});

/** As the server writes them, and as nobody's server would. */
const forgedParams = fc.oneof(
  fc.constantFrom({ rows: 3 }, { rows: 3.5 }, { rows: "3" }, { rows: 3, admin: true }, {}),
  fc.constant(JSON.parse('{"rows":3,"__proto__":{"admin":true}}')),
  fc.object({ maxDepth: 1 }),
  fc.jsonValue(),
);
const forgedFrame = fc.oneof(
  fc.record({
    type: fc.constant("action"),
    cue: fc.string(),
    name: fc.constantFrom("open", "close", "other", "constructor", "__proto__", "toString", ""),
    params: forgedParams,
  }),
  fc.record({
    type: fc.constant("page"),
    actions: fc.array(
      fc.constantFrom("open", "close", "constructor", "__proto__", "hasOwnProperty"),
    ),
  }),
);

test("whatever frames come, only what the page has registered runs, with the parameters that it declares", async () => {
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(forgedFrame, { maxLength: 8 }), async (frames) => {
      const run = vi.fn<SvcAction["run"]>();
      const never = vi.fn<SvcAction["run"]>();
      const params = { rows: { type: "integer" as const } };
      const { take } = page({ open: { params, run }, other: { run: never } }, null);
      for (const frame of frames) take({ seq: 2, ...frame });
      await Promise.resolve();
      ran += run.mock.calls.length;
      for (const [given] of run.mock.calls) {
        expect(Object.keys(given)).toEqual(["rows"]);
        expect(Number.isSafeInteger(given["rows"])).toBe(true);
      }
      expect(never).not.toHaveBeenCalled();
    }),
    { numRuns: 2_000 },
  );
  expect(ran).toBeGreaterThan(0);
});

test("has the server's rules for parameters", () => {
  const params = cases.params as unknown as NonNullable<SvcAction["params"]>;
  const given = (list: object[]): ActionParams[] => list as ActionParams[];
  expect(given(cases.good).map((one) => fit(params, one))).toEqual([true, true]);
  const bad = [...given(cases.bad), { period: "month", note: "x".repeat(201) }];
  expect(bad.filter((one) => fit(params, one))).toEqual([]);
});
