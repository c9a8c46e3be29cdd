/** One limit, and how many of the clicks it lets through. */
export interface Round {
  limit: string;
  account: Record<string, number>;
  agent?: { atOnce?: number; dailyStarts?: number; dailyCost?: number };
  /** From how many addresses the clicks come. */
  addresses: number;
  /** In all, and from each address where that is what counts. */
  started: number;
  perAddress?: number;
  reason: "at_capacity" | "too_many_starts" | "daily_cap";
  /** What the agent has spent before, in millionths. */
  spentMicros?: number;
}

const ADDRESSES = 12;

/** Two clicks from each address, of which one is let in: the two meet in two processes at the same moment. */
export function pairs(clicks: number): Round {
  return {
    limit: "at once from an address, in pairs",
    account: { at_once_per_address: 1 },
    addresses: clicks / 2,
    started: clicks / 2,
    perAddress: 1,
    reason: "too_many_starts",
  };
}

export const ROUNDS: Round[] = [
  {
    limit: "at once with an agent",
    account: { at_once_per_agent: 40 },
    agent: { atOnce: 25 },
    addresses: ADDRESSES,
    started: 25,
    reason: "at_capacity",
  },
  {
    limit: "at once from an address",
    account: { at_once_per_address: 5 },
    addresses: ADDRESSES,
    started: 5 * ADDRESSES,
    perAddress: 5,
    reason: "too_many_starts",
  },
  {
    limit: "in a minute from an address",
    account: { starts_per_minute_per_address: 7 },
    addresses: ADDRESSES,
    started: 7 * ADDRESSES,
    perAddress: 7,
    reason: "too_many_starts",
  },
  {
    limit: "in a day",
    account: { daily_starts_per_agent: 33 },
    addresses: ADDRESSES,
    started: 33,
    reason: "daily_cap",
  },
  {
    limit: "of a day's money",
    account: { daily_cost_micros_per_agent: 1_000_000 },
    spentMicros: 1_000_000,
    addresses: ADDRESSES,
    started: 0,
    reason: "daily_cap",
  },
];

const LIFTED = {
  starts_per_minute_per_address: null,
  at_once_per_address: null,
  at_once_per_agent: null,
};

/** No limit holds but those of the round. */
export function accountLimits({ account }: Pick<Round, "account">): string {
  return JSON.stringify({ ...LIFTED, ...account });
}
