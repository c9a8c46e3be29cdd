import { setTimeout as delay } from "node:timers/promises";
import type { WebhookReceiver } from "@svc/rehearsal";
import { addCustomer, addReceiver, playEvaluated } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import { environmentOf } from "../cli/scenarios/scenario.ts";
import { Svc } from "../cli/svc.ts";
import { startPipelineProcess } from "../pipeline/pipeline-process.ts";

export interface OrphanDrill {
  database: TestDatabase;
  receiver: WebhookReceiver;
  environment: Record<string, string>;
  /** For what the command line keeps. */
  directory: string;
  timeLeftMs(): number;
}

const PATH = "/orphans";
const EVENTS = 2;

/** Deliveries that fail on our side five times: are they listed, and do they arrive when they are sent again? What went wrong. */
export async function replayOrphans(drill: OrphanDrill): Promise<string[]> {
  const { database, receiver, environment, directory } = drill;
  const { db, pool } = database;
  const customer = await addCustomer(db);
  await addReceiver(db, customer, receiver.url + PATH);
  const failing = startPipelineProcess(database, "failing", {
    ...environment,
    SVC_FAILPOINTS: "deliver:answered=err",
  });
  for (let number = 0; number < EVENTS; number++) await playEvaluated(db, customer);
  const reach = async (state: string): Promise<boolean> => {
    const counting = "SELECT 1 FROM deliveries WHERE state = $1";
    const count = async (): Promise<number> =>
      (await pool.query(counting, [state]).catch(() => ({ rowCount: 0 }))).rowCount ?? 0;
    while ((await count()) < EVENTS && drill.timeLeftMs() > 0) await delay(200);
    return (await count()) >= EVENTS;
  };
  const faults: string[] = [];
  if (!(await reach("orphaned"))) faults.push("deliveries cut short five times are not orphaned");
  failing.signal("SIGKILL");
  if (!failing.log.some(({ msg, level }) => msg === "delivery orphaned" && level === "error")) {
    faults.push("no alarm for an orphaned delivery");
  }

  const svc = new Svc(directory);
  const run = async (...argv: string[]): Promise<unknown> => {
    const surroundings = { environment: environmentOf(database), directory };
    const { exitCode, out, err } = await svc.run([...argv, "--json"], surroundings);
    if (exitCode !== 0) faults.push(`svc ${argv.join(" ")}: ${err.split("\n", 1)[0]}`);
    return exitCode === 0 ? JSON.parse(out) : undefined;
  };
  const listed = (await run("deliveries", "list", "--state", "orphaned")) as {
    deliveries?: unknown[];
  };
  if (listed?.deliveries?.length !== EVENTS) faults.push("orphaned deliveries are not listed");
  await run("deliveries", "replay", "--account", customer.account.clientId, "--failed-since", "1h");
  svc.close();
  const healthy = startPipelineProcess(database, "healthy", environment);
  if (!(await reach("delivered"))) faults.push("what was replayed did not arrive");
  healthy.signal("SIGKILL");
  await Promise.all([failing.ended, healthy.ended]);
  return faults;
}
