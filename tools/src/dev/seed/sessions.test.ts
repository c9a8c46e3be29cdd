import { Session } from "@svc/contract/schemas";
import type { Session as SessionObject } from "@svc/contract/types";
import fc from "fast-check";
import { expect, test } from "vitest";
import { believableSessions, unevaluatedTalks } from "./sessions.ts";

const now = new Date("2026-11-15T04:00:00Z");
const month = believableSessions({ agentId: "agent_a", count: 300, now });

/** Every month of sessions that a seed can make. */
function everySession(check: (session: SessionObject) => void): void {
  fc.assert(
    fc.property(fc.nat(), (seed) =>
      believableSessions({ agentId: "agent_a", count: 20, now, seed }).forEach(check),
    ),
    { numRuns: 20 },
  );
}

const said = (session: SessionObject, role: string): string[] =>
  (session.transcript ?? []).filter((turn) => turn.role === role).map(({ content }) => content);

test("the seed shows every exported status, language, verdict and kind of turn", () => {
  const values = <T>(of: (session: SessionObject) => T): Set<T> => new Set(month.map(of));
  expect(values(({ status }) => status)).toEqual(new Set(["processed", "abandoned", "error"]));
  expect(values(({ evaluation }) => evaluation?.language)).toEqual(
    new Set(["en", "de", "fr", "es", undefined]),
  );
  expect(values(({ evaluation }) => evaluation?.qualification?.status)).toEqual(
    new Set(["qualified", "disqualified", "not_enough_data", undefined]),
  );
  expect(values((session) => session.email_verified)).toEqual(new Set([true, false, undefined]));
  expect(values((session) => session.transcript?.some((turn) => turn.interrupted))).toContain(true);
  expect(values(hasTwoAgentTurns)).toContain(true);
});

function hasTwoAgentTurns({ transcript = [] }: SessionObject): boolean {
  return transcript.some(
    (turn, index) =>
      index > 0 && turn.role === "assistant" && transcript[index - 1]!.role === "assistant",
  );
}

test("every session fits the contract", () => {
  everySession((session) => expect(Session.parse(session)).toEqual(session));
});

test("a session's parts fit its status", () => {
  everySession((session) => {
    const isProcessed = session.status === "processed";
    expect(session.evaluation !== undefined).toBe(isProcessed);
    expect(session.summary !== undefined).toBe(isProcessed);
    expect(said(session, "user").length > 0).toBe(session.status !== "abandoned");
  });
});

test("an evaluation claims only what was said", () => {
  everySession((session) => {
    const visitor = said(session, "user").join("\n");
    const { insights = {}, questions, customer_name: name } = session.evaluation ?? {};
    const digits = (text: string): string => text.replace(/\D/g, "");
    for (const { evidence } of Object.values(insights)) expect(visitor).toContain(evidence);
    expect(digits(visitor)).toContain(digits(questions?.["monthly_visitors"]?.answer ?? ""));
    expect(visitor).toContain(name ?? "");
  });
});

test("addresses belong to nobody, and are what the page was told", () => {
  everySession(({ email, metadata }) => {
    expect(email).toBe(metadata!["email"]?.toLowerCase());
    expect(email ?? "a.b@c.example").toMatch(/^[a-z]+\.[a-z]+@[a-z]+\.example$/);
  });
});

test("sessions lie in the last 30 days, in order, never on a whole second", () => {
  everySession(({ created_at: at }) => {
    const ageDays = (now.getTime() - Date.parse(at)) / 86_400_000;
    expect(ageDays).toBeGreaterThan(0);
    expect(ageDays).toBeLessThan(30);
    expect(at).not.toMatch(/\.000Z$/);
  });
  const starts = month.map(({ created_at: at }) => at);
  expect(starts).toEqual(starts.toSorted());
  expect(new Set(starts).size).toBe(starts.length);
  expect(new Set(month.map(({ id }) => id)).size).toBe(month.length);
});

test("talks to be evaluated are of the last hour, and nobody has judged them", () => {
  const talks = unevaluatedTalks({ agentId: "agent_a", count: 8, now });
  for (const talk of talks) {
    expect(Session.parse({ ...talk, status: "active" })).not.toHaveProperty("evaluation");
    expect(talk).not.toHaveProperty("summary");
    expect(talk.transcript?.some(({ role }) => role === "user")).toBe(true);
    const ageMs = now.getTime() - Date.parse(talk.created_at);
    expect(ageMs).toBeGreaterThan(0);
    expect(ageMs).toBeLessThan(3_600_000);
  }
});
