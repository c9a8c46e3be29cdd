import { AppError } from "#platform";
import type { Db, Trx } from "#platform";
import type { Generated, JSONColumnType } from "kysely";
import type { LimitOverrides } from "./limits.ts";
import type { ExportMode } from "./store.ts";

/** The settings that an operator makes for an account. `null` means that there is none. */
export interface AccountSettings {
  exportMode: ExportMode;
  /** The agent that visitors reach when a page names only the account's client id. */
  defaultAgentId: string | null;
  /** The address for mail about the account. */
  contactEmail: string | null;
  retentionDays: number;
  /** Whether prospects get a mail with a summary. */
  followUp: boolean;
  /** Whether the link in that mail shows what was said only after the reader confirmed that it was them. */
  confirmTranscript: boolean;
  limits: LimitOverrides;
}

type SettingsTables = {
  accounts: {
    id: Generated<number>;
    client_id: string;
    export_mode: ExportMode;
    default_agent_id: string | null;
    contact_email: string | null;
    retention_days: number;
    follow_up: boolean;
    confirm_transcript: boolean;
    limits: JSONColumnType<LimitOverrides>;
  };
};

const tables = (db: Db | Trx) => db.withTables<SettingsTables>();

const select = (db: Db | Trx, accountId: number) =>
  tables(db)
    .selectFrom("accounts")
    .select([
      "export_mode as exportMode",
      "default_agent_id as defaultAgentId",
      "contact_email as contactEmail",
      "retention_days as retentionDays",
      "follow_up as followUp",
      "confirm_transcript as confirmTranscript",
      "limits",
    ])
    .where("id", "=", accountId);

export async function selectSettings(
  db: Db | Trx,
  accountId: number,
): Promise<AccountSettings | undefined> {
  return select(db, accountId).executeTakeFirst();
}

/** Locks with `FOR NO KEY UPDATE`: under the stronger `FOR UPDATE`, every start of a session would wait. */
export async function lockSettings(
  trx: Trx,
  accountId: number,
): Promise<(AccountSettings & { clientId: string }) | undefined> {
  return select(trx, accountId).select("client_id as clientId").forNoKeyUpdate().executeTakeFirst();
}

export async function updateSettings(
  trx: Trx,
  accountId: number,
  settings: AccountSettings,
): Promise<void> {
  try {
    await tables(trx)
      .updateTable("accounts")
      .set({
        export_mode: settings.exportMode,
        default_agent_id: settings.defaultAgentId,
        contact_email: settings.contactEmail,
        retention_days: settings.retentionDays,
        follow_up: settings.followUp,
        confirm_transcript: settings.confirmTranscript,
        limits: JSON.stringify(settings.limits),
      })
      .where("id", "=", accountId)
      .execute();
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint !== "accounts_default_agent") throw error;
    throw new AppError("not_found", {
      what: `The account has no agent ${settings.defaultAgentId}.`,
      why: "An account's default agent is one of its own.",
      fix: "Give the id of one of its agents, or `none`.",
    });
  }
}
