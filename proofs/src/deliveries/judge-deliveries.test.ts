import type { ReceivedRequest } from "@svc/rehearsal";
import { expect, it } from "vitest";
import { faultsOf, judgeGaps, outOfOrder, survivalFaults } from "./judge-deliveries.ts";
import type { RecordedDelivery, TimedAttempt, Witnessed } from "./judge-deliveries.ts";

const delivery = (change: Partial<RecordedDelivery>): RecordedDelivery => ({
  id: 1,
  endpointId: "hook_1",
  sessionId: "one",
  webhookId: "evt_1",
  version: 1,
  state: "delivered",
  orphans: 0,
  bodySha256: "bytes",
  attempts: [attempt(500), attempt(204)],
  ...change,
});
const attempt = (status: number) => ({
  startedAtMs: 0,
  tookMs: 1,
  outcome: "answered",
  status,
});
const request = (status: number, change: Partial<ReceivedRequest> = {}): ReceivedRequest => ({
  number: 1,
  atMs: 0,
  path: "/",
  attempt: 1,
  bodySha256: "bytes",
  signatures: { svc: "valid", standard: "valid" },
  status,
  ...change,
});
const witnessed = (
  change: Partial<RecordedDelivery>,
  requests: ReceivedRequest[] = [request(500), request(204)],
): Witnessed => ({ delivery: delivery(change), requests });

it("has nothing against a delivery that was taken at its second try", () => {
  expect(faultsOf(witnessed({}))).toEqual([]);
  expect(survivalFaults(witnessed({}))).toEqual([]);
});

it.each([
  ["a fourth outcome", { attempts: [500, 500, 500, 204].map(attempt) }, undefined],
  ["more requests than outcomes", {}, [500, 500, 204].map((status) => request(status))],
  ["an outcome without a request", {}, [request(204)]],
  ["an attempt cut short", { orphans: 1 }, undefined],
  ["another attempt after a success", { attempts: [204, 204].map(attempt) }, undefined],
  ["delivered without a 2xx", { attempts: [500, 500].map(attempt) }, undefined],
  ["delivered, not taken", {}, [request(500), request(500)]],
  ["given up too early", { state: "exhausted", attempts: [attempt(500)] }, [request(500)]],
  ["given up though it was taken", { state: "exhausted" }, undefined],
  ["left waiting", { state: "waiting" }, undefined],
  ["other bytes", {}, [request(500), request(204, { bodySha256: "others" })]],
  [
    "a wrong signature",
    {},
    [request(500), request(204, { signatures: { svc: "wrong", standard: "valid" } })],
  ],
])("notices %s", (what, change, requests) => {
  const faults = faultsOf(witnessed(change, requests));
  expect(faults.some((fault) => fault.startsWith(what))).toBe(true);
});

it("lets a crash of ours cost one request, and not two", () => {
  const sent = [request(204), request(500), request(204)];
  expect(survivalFaults(witnessed({ orphans: 1 }, sent))).toEqual([]);
  expect(survivalFaults(witnessed({ orphans: 1 }, [...sent, request(204)]))).toHaveLength(1);
});

it("notices a request of an older evaluation after a newer one", () => {
  const [older, newer] = [{ version: 1 }, { version: 2 }];
  const inOrder = [
    witnessed(older, [request(500, { number: 1 }), request(204, { number: 2 })]),
    witnessed(newer, [request(204, { number: 3 })]),
  ];
  const swapped = [
    witnessed(older, [request(500, { number: 1 }), request(204, { number: 3 })]),
    witnessed(newer, [request(204, { number: 2 })]),
  ];
  expect(outOfOrder(inOrder)).toEqual([]);
  expect(outOfOrder(swapped)).toHaveLength(1);
});

const SECOND = 1_000;
const at = (startSecs: number, tookSecs = 0.1): TimedAttempt => ({
  endpointId: "one",
  startedAtMs: startSecs * SECOND,
  tookMs: tookSecs * SECOND,
});
const judge = (...deliveries: TimedAttempt[][]) => judgeGaps(deliveries, 30 * SECOND);

it("takes 27 to 33 seconds for about 30", () => {
  expect(judge([at(0), at(27.01)], [at(100), at(132.9)])).toMatchObject({ early: 0, late: 0 });
  expect(judge([at(0), at(26.9)], [at(100), at(133.1)])).toMatchObject({ early: 1, late: 1 });
});

it("takes a late one for held when the endpoint's slots were all in use", () => {
  const busy = Array.from({ length: 8 }, () => [at(25, 10)]);
  expect(judge([at(0), at(36)], ...busy)).toMatchObject({ late: 0, held: 1 });
  expect(judge([at(0), at(36)], ...busy.slice(1))).toMatchObject({ late: 1, held: 0 });
});

it("counts from the end of an attempt that took longer than the wait", () => {
  const scaled = [at(0, 10), at(10.5)];
  expect(judgeGaps([scaled], 2 * SECOND)).toMatchObject({ early: 0, late: 0 });
});
