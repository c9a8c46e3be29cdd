import { addAccount, changeSettings, issueToken, LIMIT_NAMES } from "#accounts";
import type { Account, ExportMode, LimitName, SettingsChange } from "#accounts";
import { AgentFileError, addAgent, applyAgent, plainConfig, planAgent, readAgent } from "#agents";
import type { AgentConfig, AgentPlan, AgentVersion, AppliedAgent, Mistake } from "#agents";
import { createSecrets, secretKeys, transact } from "#platform";
import type { Db, SecretKey, Secrets } from "#platform";
import { addEndpoint } from "#webhooks";
import { TEST_SECRET_KEYS } from "./server-process.ts";

/** An account with an agent and a working token. */
export interface Customer {
  account: Account;
  agent: AgentVersion;
  token: string;
  tokenId: number;
}

export async function addCustomer(
  db: Db,
  options: {
    name?: string;
    exportMode?: ExportMode;
    agent?: Partial<AgentConfig>;
    cell?: string;
  } = {},
): Promise<Customer> {
  const { cell = "aa" } = options;
  return transact(db, async (trx) => {
    const account = await addAccount(trx, "test", cell, options.name ?? "Example Ltd");
    if (options.exportMode !== undefined) {
      await changeSettings(trx, "test", account.id, { exportMode: options.exportMode });
    }
    const config = { ...plainConfig("Guide"), ...options.agent };
    const agent = await addAgent(trx, "test", cell, account.id, "guide", config);
    const { id, token } = await issueToken(trx, "test", cell, account.id, "test");
    return {
      account: { ...account, exportMode: options.exportMode ?? account.exportMode },
      agent,
      token,
      tokenId: id,
    };
  });
}

/** The limits on customers' starts, for tests that start more sessions from one address than visitors would. */
export const START_LIMITS: readonly LimitName[] = LIMIT_NAMES.filter((name) =>
  /^(?:starts|at_once|unconnected|daily_starts)_/.test(name),
);

/** For `changeAccount`: lifts them all. */
export const NO_START_LIMITS: Record<string, "none"> = Object.fromEntries(
  START_LIMITS.map((name) => [name, "none"]),
);

/** What `svc accounts set` does, without its process. */
export async function changeAccount(
  db: Db,
  { account }: Customer,
  change: SettingsChange,
): Promise<void> {
  await transact(db, (trx) => changeSettings(trx, "test", account.id, change));
}

/** What `svc agents plan` does, without its process. */
export async function planFolder(db: Db, accountId: number, folder: string): Promise<AgentPlan> {
  return planAgent(db, accountId, await readAgent(folder, folder, { needsWords: false }));
}

/** What `svc agents apply` does, without its process. */
export async function applyFolder(
  db: Db,
  accountId: number,
  folder: string,
): Promise<AppliedAgent> {
  const source = await readAgent(folder, folder, { needsWords: false });
  return transact(db, (trx) => applyAgent(trx, "test", "aa", accountId, source));
}

/** The mistakes for which a folder is refused. Empty for a folder that is accepted. */
export async function mistakesIn(folder: string): Promise<Mistake[]> {
  try {
    await readAgent(folder);
    return [];
  } catch (error) {
    if (error instanceof AgentFileError) return error.mistakes;
    throw error;
  }
}

/** Opens what a server with `TEST_SECRET_KEYS` sealed. */
export const testSecretKeys: [SecretKey, ...SecretKey[]] = secretKeys().parse(TEST_SECRET_KEYS);
export const testSecrets: Secrets = createSecrets(testSecretKeys);

/** Registers a receiver of the customer's events, on this machine if need be, as `svc webhooks add` does. */
export async function addReceiver(
  db: Db,
  { account }: Customer,
  url: string,
  options: { agentIds?: string[]; replayExhausted?: boolean } = {},
): Promise<{ id: string; secret: string }> {
  return transact(db, (trx) =>
    addEndpoint(trx, "test", "aa", testSecrets, {
      accountId: account.id,
      url,
      agentIds: options.agentIds ?? null,
      replayExhausted: options.replayExhausted ?? false,
      rules: { allowPlainHttp: true, allowPrivate: true },
    }),
  );
}
