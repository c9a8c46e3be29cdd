import type { StartableAgent } from "#agents";
import type { RefusalReason } from "@svc/contract/types";
import ipaddr from "ipaddr.js";

/** What counts against limits at this moment. */
export interface VisitCounts {
  agentAtOnce: number;
  /** Over all agents of the account, as are the starts. */
  addressAtOnce: number;
  addressLastMinute: number;
  /** The agent's, since midnight UTC. */
  startsToday: number;
  costMicrosToday: number;
}

/** Which limit one more session would break. Of the account's limit and the agent's own the smaller holds. */
export function brokenLimit(
  { accountLimits, config }: Pick<StartableAgent, "accountLimits" | "config">,
  counts: VisitCounts,
): RefusalReason | null {
  const { atOnce, dailyStarts, dailyCost } = config.limits;
  const account = accountLimits;
  if (counts.agentAtOnce >= least(account.at_once_per_agent, atOnce)) return "at_capacity";
  if (
    counts.addressAtOnce >= least(account.at_once_per_address) ||
    counts.addressLastMinute >= least(account.starts_per_minute_per_address)
  )
    return "too_many_starts";
  const costMicros = dailyCost === undefined ? undefined : dailyCost * 1_000_000;
  if (
    counts.startsToday >= least(account.daily_starts_per_agent, dailyStarts) ||
    counts.costMicrosToday >= least(account.daily_cost_micros_per_agent, costMicros)
  )
    return "daily_cap";
  return null;
}

function least(...limits: (number | null | undefined)[]): number {
  return Math.min(...limits.map((limit) => limit ?? Infinity));
}

/**
 * A visitor's address as limits count it. One household has a whole /64 of IPv6 addresses to choose
 * from; an IPv4 address may come in an IPv6 one.
 */
export function visitorAddress(ip: string): string {
  // What a proxy wrote that is no address is one visitor, or it would be a new one with every word.
  if (!ipaddr.isValid(ip)) return "unknown";
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
