import { setTimeout as delay } from "node:timers/promises";
import { addCustomer, sessionRow, start } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import { startPipelineProcess } from "../pipeline/pipeline-process.ts";
import { GOOD_DOMAIN } from "./name-server.ts";
import type { NameServer } from "./name-server.ts";

export interface KilledCheck {
  /** How often the domain was asked for its exchanges before the kill and after it. */
  asked: [number, number];
  /** `email_verified` then. */
  verified: [unknown, unknown];
  tookMs: number;
}

/** Kills the process that has heard of a domain and not stored it, and starts another. */
export async function killCheck(
  database: TestDatabase,
  names: NameServer,
  environment: Record<string, string>,
  onEnd: (clean: () => unknown) => void,
): Promise<KilledCheck> {
  const domain = `killed.${GOOD_DOMAIN}`;
  const askedSoFar = (): number =>
    names.questions.filter(({ name, type }) => name === domain && type === "MX").length;
  const run = (name: string, more: Record<string, string>) => {
    const one = startPipelineProcess(database, name, { ...environment, ...more });
    onEnd(() => one.signal("SIGKILL"));
    return one;
  };
  const session = await start(database.db, await addCustomer(database.db), {
    metadata: { email: `ada@${domain}` },
  });
  const isVerified = async (): Promise<unknown> =>
    (await sessionRow(database, session.id))["email_verified"];

  await run("killed", { SVC_FAILPOINTS: "domain:answered=kill" }).ended;
  const killedAt = performance.now();
  const asked = askedSoFar();
  const verified = await isVerified();
  run("next", {});
  while ((await isVerified()) === null) await delay(50);
  return {
    asked: [asked, askedSoFar() - asked],
    verified: [verified, await isVerified()],
    tookMs: performance.now() - killedAt,
  };
}
