import { AppError } from "#platform";
import type { Db, Trx } from "#platform";
import * as z from "zod";
import { audit } from "./audit.ts";
import { changeLimits, DEFAULT_LIMITS, LIMIT_NAMES } from "./limits.ts";
import { lockSettings, selectSettings, updateSettings } from "./settings-store.ts";
import type { AccountSettings } from "./settings-store.ts";

export type { AccountSettings } from "./settings-store.ts";

export type SettingsChange = Partial<Omit<AccountSettings, "limits">> & {
  limits?: Readonly<Record<string, number | "none" | "default">>;
};

/** A setting that was changed. Of a limit, the effective value is shown, defaults included. */
export interface ChangedSetting {
  setting: string;
  from: SettingValue;
  to: SettingValue;
}
export type SettingValue = string | number | boolean | null;

/** The retention default and its bounds, in days. The default is also that of the column accounts.retention_days; both must change together. */
export const RETENTION_DAYS = { min: 1, max: 3_650, default: 365 } as const;

export async function readSettings(db: Db | Trx, accountId: number): Promise<AccountSettings> {
  return known(await selectSettings(db, accountId), accountId);
}

/**
 * Changes the given settings and keeps the others. Returns what changed; setting the same value
 * again is no change.
 */
export async function changeSettings(
  trx: Trx,
  actor: string,
  accountId: number,
  change: SettingsChange,
): Promise<ChangedSetting[]> {
  const { clientId, ...before } = known(await lockSettings(trx, accountId), accountId);
  const after: AccountSettings = {
    ...before,
    ...change,
    limits: changeLimits(before.limits, change.limits ?? {}),
  };
  check(after);
  const changed = differences(before, after);
  if (changed.length === 0) return [];
  await updateSettings(trx, accountId, after);
  await audit(trx, {
    actor,
    action: "account.set",
    accountId,
    subject: clientId,
    detail: Object.fromEntries(changed.map(auditable)),
  });
  return changed;
}

function check({ contactEmail, retentionDays }: AccountSettings): void {
  const { min, max } = RETENTION_DAYS;
  if (!Number.isInteger(retentionDays) || retentionDays < min || retentionDays > max) {
    throw new AppError("invalid_input", {
      what: "The retention was not taken.",
      why: `Sessions are kept for ${min} to ${max} whole days.`,
      fix: "Give a number of days in between.",
    });
  }
  if (contactEmail !== null && !z.email().safeParse(contactEmail).success) {
    throw new AppError("invalid_input", {
      what: "The contact was not taken.",
      why: "It is not an address that mail can be sent to.",
      fix: "Give one address, such as ops@example.com, or `none`.",
    });
  }
}

function differences(before: AccountSettings, after: AccountSettings): ChangedSetting[] {
  const left = flat(before);
  const right = flat(after);
  return Object.keys(right)
    .map((setting) => ({ setting, from: left[setting]!, to: right[setting]! }))
    .filter(({ from, to }) => from !== to);
}

function flat(settings: AccountSettings): Record<string, SettingValue> {
  const limits = { ...DEFAULT_LIMITS, ...settings.limits };
  return {
    export_mode: settings.exportMode,
    default_agent: settings.defaultAgentId,
    contact: settings.contactEmail,
    retention_days: settings.retentionDays,
    follow_up: settings.followUp,
    confirm_transcript: settings.confirmTranscript,
    ...Object.fromEntries(LIMIT_NAMES.map((name) => [`limits.${name}`, limits[name]])),
  };
}

/** Audit records are never deleted and must hold no personal data, and the contact's address is personal. */
function auditable({ setting, from, to }: ChangedSetting): [string, unknown] {
  return setting === "contact"
    ? [setting, to === null ? "removed" : "set"]
    : [setting, { from, to }];
}

function known<T>(found: T | undefined, accountId: number): T {
  if (found !== undefined) return found;
  throw new AppError("not_found", {
    what: `There is no account ${accountId}.`,
    why: "No account was ever added under that number.",
    fix: "Run `svc accounts list` to see which there are.",
  });
}
