import { addAccount, changeSettings, issueToken } from "#accounts";
import type { Account, ExportMode } from "#accounts";
import { addAgent, plainConfig } from "#agents";
import type { AgentConfig, AgentVersion } from "#agents";
import { transact } from "#platform";
import type { Db } from "#platform";

/** An account with an agent and a working token. */
export interface Customer {
  account: Account;
  agent: AgentVersion;
  token: string;
  tokenId: number;
}

export async function addCustomer(
  db: Db,
  options: { name?: string; exportMode?: ExportMode; agent?: Partial<AgentConfig> } = {},
): Promise<Customer> {
  return transact(db, async (trx) => {
    const account = await addAccount(trx, "test", "aa", options.name ?? "Example Ltd");
    if (options.exportMode !== undefined) {
      await changeSettings(trx, "test", account.id, { exportMode: options.exportMode });
    }
    const config = { ...plainConfig("Guide"), ...options.agent };
    const agent = await addAgent(trx, "test", "aa", account.id, "guide", config);
    const { id, token } = await issueToken(trx, "test", "aa", account.id, "test");
    return {
      account: { ...account, exportMode: options.exportMode ?? account.exportMode },
      agent,
      token,
      tokenId: id,
    };
  });
}
