import { randomUUID } from "node:crypto";
import type { AgentVersion } from "#agents";
import { createJobSender, createLog, systemClock } from "#platform";
import type { Db } from "#platform";
import type { VisitOutcome, VisitStart } from "./admit-visit.ts";
import type { StartChallenges } from "./start-challenges.ts";
import { Visits } from "./visits.ts";

/** For tests: an instance of Visits, and a start request with a key of its own. */
export function visitsOver(db: Db, challenges?: StartChallenges): Visits {
  return new Visits({
    db,
    jobs: createJobSender(db, createLog("silent")),
    clock: systemClock,
    accountShare: 0.75,
    recipientsOf: async () => undefined,
    challenges,
  });
}

export function visit(
  { agent }: { agent: AgentVersion },
  change: Partial<VisitStart> = {},
): VisitStart {
  return {
    agent: agent.agentId,
    origin: "https://www.example.com",
    address: "203.0.113.7",
    idempotencyKey: randomUUID(),
    requestSha256: Buffer.alloc(32, 1),
    mode: "text",
    language: "en",
    metadata: {},
    page: "https://www.example.com/pricing",
    notice: {
      sha256: Buffer.alloc(32, 2),
      language: "en",
      acceptedAt: new Date("2026-01-02T03:04:05.678Z"),
    },
    ...change,
  };
}

/** The refusal, or `started`. */
export function outcomeOf(outcome: VisitOutcome): string {
  if ("refused" in outcome) return outcome.refused;
  if ("challenge" in outcome) return "challenge";
  return "invalid" in outcome ? `invalid ${outcome.invalid}` : "started";
}
