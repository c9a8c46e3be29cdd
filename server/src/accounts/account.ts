/** A customer: the owner of agents, sessions and tokens. */
export interface Account {
  id: number;
  /** What the customer knows the account by: `client_…`. */
  clientId: string;
  name: string;
  exportMode: ExportMode;
}

/**
 * - `settled_prefix`: the export shows a session only when every earlier one is settled, so that
 *   the documented loop never misses one.
 * - `as_available`: it shows each session as soon as it is settled. A reader that only moves
 *   forward misses those that finish late.
 */
export type ExportMode = (typeof EXPORT_MODES)[number];
export const EXPORT_MODES = ["settled_prefix", "as_available"] as const;

export interface ListedAccount extends Account {
  createdAt: Date;
  workingTokens: number;
}
