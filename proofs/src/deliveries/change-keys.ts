import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { DeliveredRequest, SecretWorld } from "./secret-world.ts";

/** A secret is sealed under one key, then under another, and at last changed itself. What went wrong meanwhile. */
export async function changeKeys(
  world: SecretWorld,
  endpoint: { id: string; secret: string },
): Promise<string[]> {
  const faults: string[] = [];
  const check = (isSo: boolean, otherwise: string): void => {
    if (!isSo) faults.push(otherwise);
  };
  const { pool } = world.database;
  const sealedBy = async (): Promise<string[]> => {
    const reading = "SELECT split_part(secret, ':', 1) AS id FROM webhook_endpoints";
    return (await pool.query<{ id: string }>(reading)).rows.map(({ id }) => id);
  };

  await world.serve(world.environment("k1"));
  check(isSigned(await world.deliver(), endpoint.secret), "not signed under k1");
  await world.serve(world.environment("k2", "k1"));
  check(isSigned(await world.deliver(), endpoint.secret), "not signed while k2 is new");
  await world.operate(world.environment("k2", "k1"), "webhooks", "reseal");
  check(
    (await sealedBy()).every((id) => id === "k2"),
    "not all resealed",
  );

  // The control: without the key nothing can be signed, and nothing unsigned is sent.
  await world.serve(world.environment("k3"));
  check((await world.deliver(2_500)) === undefined, "sent though the key is missing");
  await world.serve(world.environment("k2"));
  check(isSigned(await world.deliver(), endpoint.secret), "not signed after k1 is dropped");

  const rotated = await world.operate(world.environment("k2"), "webhooks", "rotate", endpoint.id);
  const secret = String(rotated["secret"]);
  const delivered = await world.deliver();
  check(isSigned(delivered, secret), "not signed with the new secret");
  check(isStandardSigned(delivered, endpoint.secret), "the old secret verifies no more");
  check(secret !== endpoint.secret, "the secret was not changed");
  return faults;
}

function isSigned(delivered: DeliveredRequest | undefined, secret: string): boolean {
  if (delivered === undefined) return false;
  const { headers, body } = delivered;
  const expected = createHmac("sha256", secret).update(body).digest("hex");
  return headers["x-webhook-signature"] === expected && isStandardSigned(delivered, secret);
}

function isStandardSigned(delivered: DeliveredRequest | undefined, secret: string): boolean {
  if (delivered === undefined) return false;
  try {
    new Webhook(secret).verify(delivered.body, delivered.headers);
    return true;
  } catch {
    return false;
  }
}
