import { createSecrets, secretKeys, transact } from "#platform";
import type { Db, Secrets } from "#platform";
import { addEndpoint } from "#webhooks";
import type { Customer } from "./customer.ts";
import { TEST_SECRET_KEYS } from "./server-process.ts";

/** Opens what a server with `TEST_SECRET_KEYS` sealed. */
export const testSecrets: Secrets = createSecrets(secretKeys().parse(TEST_SECRET_KEYS));

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
