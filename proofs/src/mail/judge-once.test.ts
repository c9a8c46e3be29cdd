import { expect, test } from "vitest";
import { onceFaults } from "./judge-once.ts";
import type { MailedSession } from "./mailed-sessions.ts";

const session: MailedSession = {
  id: "one",
  status: "processed",
  email: "ada@customer.test",
  state: "sent",
  reason: null,
};

test.each<[Partial<MailedSession>, number]>([
  [{}, 1],
  [{ state: "unknown" }, 0],
  [{ state: "unknown" }, 1],
  [{ state: "skipped" }, 0],
  [{ state: "refused" }, 0],
])("%j with %i copies is well", (change, copies) => {
  expect(onceFaults({ ...session, ...change }, copies)).toEqual([]);
});

test.each<[Partial<MailedSession>, number]>([
  [{}, 0],
  [{}, 2],
  [{ state: "unknown" }, 2],
  [{ state: "skipped" }, 1],
  [{ state: "refused" }, 1],
  [{ state: "sending" }, 0],
  [{ state: "waiting" }, 0],
  [{ state: null }, 0],
  [{ status: "error" }, 1],
])("%j with %i copies is a fault", (change, copies) => {
  expect(onceFaults({ ...session, ...change }, copies)).toHaveLength(1);
});
