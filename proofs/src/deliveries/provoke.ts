import { setTimeout as delay } from "node:timers/promises";
import type { SecretWorld } from "./secret-world.ts";
import { startTelltaleProvider } from "./telltale-provider.ts";

/**
 * Does all that might make a server or a command tell a secret: right and wrong use, errors, a
 * start that fails. Says what could not be done, for then it shows nothing.
 */
export async function provoke(world: SecretWorld, endpointId: string): Promise<string[]> {
  const faults: string[] = [];
  const { customer } = world;
  const environment = world.environment("k1");
  const { url, operationsUrl } = await world.serve(environment);
  const { token } = customer;
  const basic = Buffer.from(`${customer.account.clientId}:${token}`).toString("base64");
  const credentials: Record<string, string[]> = {
    "a token": [`Bearer ${token}`],
    "a password": [`Basic ${basic}`],
    "a token with a slip": [`Bearer ${token}x`],
    "two tokens": [`Bearer ${token}`, `Bearer ${token}`],
    "a token without a scheme": [token],
  };
  for (const [what, values] of Object.entries(credentials)) {
    const headers = new Headers(values.map((value) => ["authorization", value]));
    for (const query of ["", "?since=x", `?since=${token}`, `?access_token=${token}`]) {
      const answer = await fetch(`${url}/v1/sessions.json${query}`, { headers });
      await world.look(`the answer to ${what}`, answer);
      if (what === "a token" && query === "" && !answer.ok) faults.push("a token does not work");
    }
    await world.look("a strange address", await fetch(`${url}/${token}`, { headers }));
  }
  if ((await world.deliver()) === undefined) faults.push("nothing was delivered");
  world.receiver.setFaults([{ kind: "status", status: 500 }]);
  await world.talk();
  const exhausted = "SELECT 1 FROM deliveries WHERE state = 'exhausted'";
  await until(async () => (await world.database.pool.query(exhausted)).rowCount !== 0);
  world.receiver.setFaults([]);
  for (const path of ["metrics", "readyz", "healthz", token]) {
    await world.look(`/${path}`, await fetch(`${operationsUrl}/${path}`));
  }

  const commands = [
    ["tokens", "issue", customer.account.clientId, "--label", "canary"],
    ["tokens", "list", customer.account.clientId],
    ["tokens", "revoke", token],
    ["agents", "preview", customer.agent.agentId],
    ["agents", "show", customer.agent.agentId],
    ["accounts", "show", customer.account.clientId],
    ["accounts", "show", token],
    ["webhooks", "list"],
    ["webhooks", "show", endpointId],
    ["webhooks", "test", endpointId],
    ["webhooks", "test", token],
    ["deliveries", "list"],
    ["deliveries", "show", "1"],
    ["sessions", "list"],
    ["audit", "list"],
    ["db", "status"],
    ["doctor"],
  ];
  await Promise.all(commands.map((argv) => world.operate(environment, ...argv)));

  const telltale = await startTelltaleProvider();
  const wrong = { ...environment, SVC_MODEL_URL: telltale.baseUrl };
  const refused = await world.serve(wrong);
  await world.talk();
  await until(async () => refused.said().includes("answered 401"));
  if (!refused.said().includes("answered 401")) faults.push("no model refused the key");
  await world.operate(wrong, "doctor");
  await world.operate(wrong, "evaluate", "--account", customer.account.clientId, "--all");
  telltale.close();

  // What does not start says why, and not with what.
  const broken = {
    "half a key": { SVC_SECRET_KEYS: `k1:${world.keys.k1.slice(0, -2)}` },
    "two keys of one name": { SVC_SECRET_KEYS: `k1:${world.keys.k1},k1:${world.keys.k2}` },
    "a database that is not there": {
      SVC_DATABASE_URL: environment["SVC_DATABASE_URL"]!.replace(/:\d+\//, ":1/"),
    },
    "an address that is none": { SVC_DATABASE_URL: `postgres//${world.modelKey}` },
  };
  for (const change of Object.values(broken)) {
    await world.serve({ ...environment, ...change });
    await world.operate({ ...environment, ...change }, "webhooks", "reseal");
  }
  return faults;
}

/** Or until it has taken too long. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 8_000;
  while (!(await isSo()) && performance.now() < giveUpAt) await delay(50);
}
