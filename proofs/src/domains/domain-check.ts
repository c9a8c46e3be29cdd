import { setTimeout as delay } from "node:timers/promises";
import { addCustomer } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import { quantile } from "../pipeline/quantile.ts";
import type { Claim, Tools } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { checkTruth } from "./check-truth.ts";
import { flawedCheck, FLAWS, noticeFlaws } from "./flawed-check.ts";
import { GOOD_DOMAIN, HANGING_DOMAIN, openWorld, playAddresses, settledAfter } from "./world.ts";
import type { World } from "./world.ts";

/** Of what the control takes. Behind sixty names that hang, sixteen at a time, it would be four. */
const HARM_BOUND = 0.5;
/** As the product has it. */
const PATIENCE = { timeout: 1_500, tries: 2 };
/** For the pipeline to take up what hangs. */
const SETTLE_MS = 500;

export const domainCheck: Claim<undefined> = {
  promise:
    "email_verified is what a domain's name servers say, absent while they say nothing, and nobody waits for those that hang",
  bound: `0 wrong, every planted fault noticed, others beside names that hang ≤ ${HARM_BOUND} of a wait for one`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async (tools) => {
    const { sized, say, onEnd } = tools;
    const wanted = sized({
      quick: { hanging: 60, beside: 20 },
      full: { hanging: 200, beside: 100 },
    });
    const stage = await openStage();
    onEnd(() => stage.close());
    const world = await openWorld(stage, onEnd);
    const harm = await measureHarm(world, wanted, tools);

    const { checked, wrong } = await checkTruth(world);
    const flaws = await noticeFlaws(world.names.server);
    for (const fault of wrong) say(`  ${fault}`);
    say(`planted faults: ${[...flaws].map(([flaw, shown]) => `${flaw} ${shown}`).join(", ")}`);
    const noticed = FLAWS.filter((flaw) => flaws.get(flaw)! > 0).length;
    return {
      figure: `${wrong.length} wrong of ${checked}, ${noticed} of ${FLAWS.length} planted faults noticed, checks ${harm.checks.toFixed(2)} and evaluations ${harm.evaluations.toFixed(2)} of a wait`,
      ok:
        wrong.length === 0 &&
        noticed === FLAWS.length &&
        flaws.get("none") === 0 &&
        harm.checks <= HARM_BOUND &&
        harm.evaluations <= HARM_BOUND,
      size: `${checked} sessions, ${wanted.hanging} names that hang`,
    };
  },
};

/** What names that hang cost others, as a share of waiting for one of them. */
async function measureHarm(
  { database, names }: World,
  wanted: { hanging: number; beside: number },
  { say }: Tools,
): Promise<{ checks: number; evaluations: number }> {
  const without = await playOthers(database, "without", 10);
  const hanging = Array.from(
    { length: wanted.hanging },
    (_, index) => `ada@${index}.${HANGING_DOMAIN}`,
  );
  await playAddresses(database, await addCustomer(database.db), hanging);
  await delay(SETTLE_MS);
  const [beside, behindMs] = await Promise.all([
    playOthers(database, "beside", wanted.beside),
    oneAfterAnother(names.server),
  ]);
  say(
    `checks took ${ms(without.checksMs)}, beside ${wanted.hanging} names that hang ${ms(beside.checksMs)}; evaluations ${ms(without.evaluationsMs)} and ${ms(beside.evaluationsMs)}`,
  );
  say(`control, one after another: a good name waits ${ms(behindMs)} behind one that hangs`);
  return { checks: beside.checksMs / behindMs, evaluations: beside.evaluationsMs / behindMs };
}

/** Sessions with good addresses, each at a domain of its own, and as many without an address. Medians. */
async function playOthers(
  database: TestDatabase,
  run: string,
  count: number,
): Promise<{ checksMs: number; evaluationsMs: number }> {
  const domains = Array.from({ length: count }, (_, index) => `${run}-${index}.${GOOD_DOMAIN}`);
  const addresses = domains.flatMap((domain) => [`ada@${domain}`, undefined]);
  const ids = await playAddresses(database, await addCustomer(database.db), addresses);
  const [withAddress, without] = [0, 1].map((rest) => ids.filter((_, index) => index % 2 === rest));
  const settled = await settledAfter(database, without!);
  return {
    checksMs: quantile(await checkedAfter(database, withAddress!), 0.5),
    evaluationsMs: quantile([...settled.values()], 0.5),
  };
}

/** From the commit of each address to that of its domain's answer. */
async function checkedAfter({ pool }: TestDatabase, ids: string[]): Promise<number[]> {
  for (;;) {
    const { rows } = await pool.query<{ ms: number }>(
      `SELECT extract(epoch FROM completed_on - created_on)::float8 * 1000 AS ms FROM pgboss.job
       WHERE name = 'check-domain' AND state = 'completed' AND data ->> 'sessionId' = ANY ($1)`,
      [ids],
    );
    if (rows.length === ids.length) return rows.map((row) => row.ms);
    await delay(50);
  }
}

/** The control: how long a good domain takes when it waits for its turn behind one that hangs. */
async function oneAfterAnother(server: string): Promise<number> {
  const startedAt = performance.now();
  for (const domain of [`first.${HANGING_DOMAIN}`, `second.${GOOD_DOMAIN}`]) {
    await flawedCheck(server, domain, "none", PATIENCE);
  }
  return performance.now() - startedAt;
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
