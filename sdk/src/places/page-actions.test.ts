import cases from "@svc/contract/fixtures/action-params.json" with { type: "json" };
import type { ActionParams } from "@svc/contract/types";
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
  return { all, send, onRun, run };
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

test("has the server's rules for parameters", () => {
  const params = cases.params as unknown as NonNullable<SvcAction["params"]>;
  const given = (list: object[]): ActionParams[] => list as ActionParams[];
  expect(given(cases.good).map((one) => fit(params, one))).toEqual([true, true]);
  const bad = [...given(cases.bad), { period: "month", note: "x".repeat(201) }];
  expect(bad.filter((one) => fit(params, one))).toEqual([]);
});
