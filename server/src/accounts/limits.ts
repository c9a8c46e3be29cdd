import { AppError } from "#platform";

/**
 * The limits of an account. A new session above one of them is refused; a running one is never
 * ended for it, except by the two in money. `null` means no limit. An address is the
 * visitor's IP address, of IPv6 its /64; for mails it is the mailbox.
 */
export interface AccountLimits {
  starts_per_minute_per_address: number | null;
  at_once_per_address: number | null;
  /** In each of the address's wider networks, an IPv6 /56 or /48 or an IPv4 /24: somebody who owns one must not take every place. */
  at_once_per_network: number | null;
  /** Of an address's wider networks, over all agents of the account. */
  starts_per_ten_minutes_per_ipv6_56: number | null;
  starts_per_ten_minutes_per_ipv6_48: number | null;
  starts_per_ten_minutes_per_ipv4_24: number | null;
  /**
   * Starts whose visitor has not opened the socket yet, from an IPv6 /56 or /48 or an IPv4 /24. They
   * take no place of the agent.
   */
  unconnected_per_network: number | null;
  /** Above it the oldest unconnected start is ended and the new one let in: scripts that only start must not refuse a visitor. */
  unconnected_per_agent: number | null;
  /** Visitors who are connected. */
  at_once_per_agent: number | null;
  /** Finite by default: a flood that every other limit lets through must not cost without bound. */
  daily_starts_per_agent: number | null;
  /**
   * Test sessions have limits of their own, for all addresses together: they take no customer's
   * place, and a preview token in the wrong hands cannot be used without bound.
   */
  test_starts_per_minute_per_agent: number | null;
  test_at_once_per_agent: number | null;
  test_daily_starts_per_agent: number | null;
  /** In millionths of the currency that the models are paid in. */
  daily_cost_micros_per_agent: number | null;
  /** A running conversation above this limit is brought to an end. */
  cost_micros_per_session: number | null;
  /**
   * Follow-up mails within 24 hours, so that nobody can flood a stranger's inbox by typing their
   * address: to one mailbox, however its address is spelled.
   */
  daily_mails_per_address: number | null;
  /** To whatever mailboxes, for conversations from one IP address: one visitor must not mail many strangers. */
  daily_mails_per_visitor: number | null;
  /** For visitors with many addresses: what all mails of the account together may do to its name. */
  daily_mails_per_account: number | null;
}
export type LimitName = keyof AccountLimits;

export const DEFAULT_LIMITS: Readonly<AccountLimits> = {
  starts_per_minute_per_address: 20,
  at_once_per_address: 5,
  at_once_per_network: 20,
  starts_per_ten_minutes_per_ipv6_56: 40,
  starts_per_ten_minutes_per_ipv6_48: 80,
  starts_per_ten_minutes_per_ipv4_24: 100,
  unconnected_per_network: 10,
  unconnected_per_agent: 100,
  // Not above the default of SVC_LIVE_CAPACITY: one agent must not promise more places than a process has.
  at_once_per_agent: 40,
  daily_starts_per_agent: 1_000,
  test_starts_per_minute_per_agent: 10,
  test_at_once_per_agent: 5,
  test_daily_starts_per_agent: 200,
  daily_cost_micros_per_agent: null,
  cost_micros_per_session: null,
  daily_mails_per_address: 5,
  daily_mails_per_visitor: 20,
  daily_mails_per_account: 1_000,
};
export const LIMIT_NAMES = Object.keys(DEFAULT_LIMITS) as readonly LimitName[];

/** The limits of one account that differ from the defaults. */
export type LimitOverrides = Partial<AccountLimits>;

const MAX_LIMIT = 1_000_000_000_000;

/** The overrides after a change. A limit that is set to its default stops being an override. */
export function changeLimits(
  overrides: LimitOverrides,
  change: Readonly<Record<string, number | "none" | "default">>,
): LimitOverrides {
  const limits: AccountLimits = { ...DEFAULT_LIMITS, ...overrides };
  for (const [name, value] of Object.entries(change)) {
    if (!isLimitName(name)) {
      throw new AppError("invalid_input", {
        what: `There is no limit "${name}".`,
        why: "Nothing is counted under that name.",
        fix: `Use one of ${LIMIT_NAMES.join(", ")}.`,
      });
    }
    if (
      typeof value === "number" &&
      !(Number.isInteger(value) && value >= 1 && value <= MAX_LIMIT)
    ) {
      throw new AppError("invalid_input", {
        what: `The limit ${name} was not taken.`,
        why: "A limit is a whole number from 1.",
        fix: "Give a number, `none` to lift the limit, or `default`.",
      });
    }
    limits[name] = value === "default" ? DEFAULT_LIMITS[name] : value === "none" ? null : value;
  }
  return Object.fromEntries(
    LIMIT_NAMES.filter((name) => limits[name] !== DEFAULT_LIMITS[name]).map((name) => [
      name,
      limits[name],
    ]),
  );
}

function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(DEFAULT_LIMITS, name);
}
