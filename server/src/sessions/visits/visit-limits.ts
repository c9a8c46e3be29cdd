import type { LimitName } from "#accounts";
import type { StartableAgent } from "#agents";
import type { RefusalReason } from "@svc/contract/types";
import type { NetworkBits } from "./networks.ts";

/** The current counts that limits apply to. */
export interface VisitCounts {
  /** Connected, as in every count that does not say otherwise. A start takes a place when its socket opens. */
  agentAtOnce: number;
  /** Started, and not yet connected. */
  agentUnconnected: number;
  /** Over all agents of the account, as is all that follows of addresses and networks. Unconnected ones included. */
  addressAtOnce: number;
  addressLastMinute: number;
  /** The wider networks of the address. */
  networks: { bits: NetworkBits; atOnce: number; unconnected: number; lastTenMinutes: number }[];
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
 * Returns the limit that one more session would exceed: sessions at once, starts from an address or
 * its networks, or a daily cap. The smaller of the account's and the agent's own limit applies.
 */
export function brokenLimit(
  { accountLimits, config }: Pick<StartableAgent, "accountLimits" | "config">,
  counts: VisitCounts,
): RefusalReason | null {
  if (counts.agentAtOnce >= agentPlaces({ accountLimits, config })) return "at_capacity";
  const broken = brokenAddressLimit({ accountLimits }, counts);
  if (broken !== null) return broken;
  if (
    // A start counts for the day once it connects: those under way must not exceed the cap together.
    counts.startsToday + counts.agentUnconnected >= dayCap({ accountLimits, config }) ||
    counts.costMicrosToday >= dailyCostLimit({ accountLimits, config })
  )
    return "daily_cap";
  return null;
}

/** The same of starts from the visitor's address and its networks alone. */
export function brokenAddressLimit(
  { accountLimits: account }: Pick<StartableAgent, "accountLimits">,
  counts: VisitCounts,
): RefusalReason | null {
  if (
    counts.addressAtOnce >= lowestLimit(account.at_once_per_address) ||
    counts.addressLastMinute >= lowestLimit(account.starts_per_minute_per_address) ||
    counts.networks.some(
      ({ bits, atOnce, unconnected, lastTenMinutes }) =>
        atOnce >= lowestLimit(account.at_once_per_network) ||
        unconnected >= lowestLimit(account.unconnected_per_network) ||
        lastTenMinutes >= lowestLimit(account[STARTS_PER_NETWORK[bits]]),
    )
  )
    return "too_many_starts";
  return null;
}

/** The part of a limit from which starts look like a flood, and each has to solve a challenge. */
const FLOOD_FROM = 0.5;

/**
 * Returns whether starts look like those of a script: many in a network of the visitor's, or many at
 * the agent that nobody connects to. Where there is no limit there is no flood.
 */
export function looksLikeFlood(
  { accountLimits: account }: Pick<StartableAgent, "accountLimits">,
  { agentUnconnected, networks }: Pick<VisitCounts, "agentUnconnected" | "networks">,
): boolean {
  const isMuch = (count: number, limit: number | null): boolean =>
    limit !== null && count > 0 && count >= limit * FLOOD_FROM;
  return (
    isMuch(agentUnconnected, account.unconnected_per_agent) ||
    networks.some(
      ({ bits, unconnected, lastTenMinutes }) =>
        isMuch(unconnected, account.unconnected_per_network) ||
        isMuch(lastTenMinutes, account[STARTS_PER_NETWORK[bits]]),
    )
  );
}

const STARTS_PER_NETWORK = {
  56: "starts_per_ten_minutes_per_ipv6_56",
  48: "starts_per_ten_minutes_per_ipv6_48",
  24: "starts_per_ten_minutes_per_ipv4_24",
} as const satisfies Record<NetworkBits, LimitName>;

/** The number of visitors whom an agent talks to at once. */
export function agentPlaces({
  accountLimits,
  config,
}: Pick<StartableAgent, "accountLimits" | "config">): number {
  return lowestLimit(accountLimits.at_once_per_agent, config.limits.atOnce);
}

/** The most visitors whom an agent talks to on a day. */
export function dayCap({
  accountLimits,
  config,
}: Pick<StartableAgent, "accountLimits" | "config">): number {
  return lowestLimit(accountLimits.daily_starts_per_agent, config.limits.dailyStarts);
}

/** The starts of a day at which its owner is warned that the cap is near. */
export function warnedAt(cap: number): number {
  return Math.ceil(cap * 0.8);
}

/** In millionths; infinite without a limit. */
export function dailyCostLimit({
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
