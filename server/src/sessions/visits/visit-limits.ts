import type { StartableAgent } from "#agents";
import type { RefusalReason } from "@svc/contract/types";
import ipaddr from "ipaddr.js";

/** The current counts that limits apply to. */
export interface VisitCounts {
  agentAtOnce: number;
  /** Over all agents of the account, as is `addressLastMinute`. */
  addressAtOnce: number;
  addressLastMinute: number;
  /** Of the agent, since midnight UTC. */
  startsToday: number;
  costMicrosToday: number;
}

/** The current counts of an agent's test sessions. */
export interface TestCounts {
  atOnce: number;
  lastMinute: number;
  /** Since midnight UTC. */
  startsToday: number;
  costMicrosToday: number;
}

/** Returns the limit that one more test session would exceed. The daily cost has the same bound as that of customers, but its own count. */
export function brokenTestLimit(
  { accountLimits: account, config }: Pick<StartableAgent, "accountLimits" | "config">,
  counts: TestCounts,
): RefusalReason | null {
  if (counts.atOnce >= lowestLimit(account.test_at_once_per_agent)) return "at_capacity";
  if (counts.lastMinute >= lowestLimit(account.test_starts_per_minute_per_agent))
    return "too_many_starts";
  if (
    counts.startsToday >= lowestLimit(account.test_daily_starts_per_agent) ||
    counts.costMicrosToday >= dailyCostLimit({ accountLimits: account, config })
  )
    return "daily_cap";
  return null;
}

/**
 * Returns the limit that one more session would exceed: sessions at once, the rate limit of starts per
 * minute and address, or a daily cap. The smaller of the account's and the agent's own limit applies.
 */
export function brokenLimit(
  { accountLimits, config }: Pick<StartableAgent, "accountLimits" | "config">,
  counts: VisitCounts,
): RefusalReason | null {
  const { atOnce, dailyStarts } = config.limits;
  const account = accountLimits;
  if (counts.agentAtOnce >= lowestLimit(account.at_once_per_agent, atOnce)) return "at_capacity";
  if (
    counts.addressAtOnce >= lowestLimit(account.at_once_per_address) ||
    counts.addressLastMinute >= lowestLimit(account.starts_per_minute_per_address)
  )
    return "too_many_starts";
  if (
    counts.startsToday >= lowestLimit(account.daily_starts_per_agent, dailyStarts) ||
    counts.costMicrosToday >= dailyCostLimit({ accountLimits, config })
  )
    return "daily_cap";
  return null;
}

function dailyCostLimit({
  accountLimits,
  config,
}: Pick<StartableAgent, "accountLimits" | "config">): number {
  const { dailyCost } = config.limits;
  const costMicros = dailyCost === undefined ? undefined : dailyCost * 1_000_000;
  return lowestLimit(accountLimits.daily_cost_micros_per_agent, costMicros);
}

function lowestLimit(...limits: (number | null | undefined)[]): number {
  return Math.min(...limits.map((limit) => limit ?? Infinity));
}

/**
 * A visitor's IP address in the form that limits count. Of IPv6 the /64 counts, because one
 * household has a whole /64; IPv4 addresses mapped to IPv6 count as IPv4.
 */
export function visitorAddress(ip: string): string {
  // Invalid addresses count as one visitor: otherwise every new text from a proxy would be a new visitor.
  if (!ipaddr.isValid(ip)) return "unknown";
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
