import { count } from "../runner/figures.ts";
import type { TestDatabase } from "@svc/server/testing";
import { startExportClients } from "./histories/export-clients.ts";
import { runHistories } from "./histories/run-histories.ts";
import type { Outcome } from "./histories/run-histories.ts";
import { obeySlowCommits } from "./histories/play-history.ts";
import type { Claim } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";

const HISTORIES = { gate: 30, quick: 100, full: 20_000 };
/** A walk at limit 1 asks often, and all accounts are read from one address. */
const NO_LIMITS = { SVC_EXPORT_RATE: "1000000", SVC_EXPORT_BURST: "1000000" };
const FAULTS_SHOWN = 20;

export const losesNothing: Claim<undefined> = {
  promise:
    "A client that walks the export as the specification says meets every session, whatever happens meanwhile.",
  bound: "0 lost",
  timeLimitSecs: { full: 2700 },
  tier: "gate",
  prove: async (tools) => {
    const histories = tools.sized(HISTORIES);
    const { seed } = tools;

    const stage = await openStage();
    tools.onEnd(() => stage.close());
    await obeySlowCommits(stage.database);
    const server = await stage.startServer(NO_LIMITS);

    const clients = startExportClients(server.url);
    tools.onEnd(() => clients.stop());
    const outcome = await runHistories(tools, stage.database, clients, { seed, histories });
    const { kept, control } = outcome;
    for (const line of describeOutcome(outcome)) tools.say(line);

    const reached = outOf(kept.histories, histories);
    return {
      figure: `${count(kept.lost)} lost of ${count(kept.sessions)} sessions in ${reached} histories, control lost ${count(control.lost)}`,
      ok: kept.faults.length === 0 && control.lost > 0,
      size: `${reached} histories`,
      engines: [await postgresVersion(stage.database)],
    };
  },
};

async function postgresVersion({ pool }: TestDatabase): Promise<string> {
  const { rows } = await pool.query<{ server_version: string }>("SHOW server_version");
  return `PostgreSQL ${rows[0]?.server_version.split(" ", 1)[0]}`;
}

function describeOutcome({ kept, control }: Outcome): string[] {
  return [
    `${count(kept.walks)} walks in ${count(kept.requests)} requests; up to ${count(kept.fastestSecond)} starts of one account within a second`,
    `control: as_available lost ${count(control.lost)} of ${count(control.sessions)} in ${count(control.histories)} of the same histories`,
    ...kept.faults.slice(0, FAULTS_SHOWN),
    ...(kept.faults.length > FAULTS_SHOWN
      ? [`and ${count(kept.faults.length - FAULTS_SHOWN)} more faults`]
      : []),
  ];
}

function outOf(reached: number, wanted: number): string {
  return reached < wanted ? `${count(reached)} of ${count(wanted)}` : count(wanted);
}
