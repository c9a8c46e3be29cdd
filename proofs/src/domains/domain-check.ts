import { Resolver } from "node:dns/promises";
import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel } from "@svc/rehearsal";
import { addCustomer, end, say as speak, start, startScriptedDns } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import { quantile } from "../runner/figures.ts";
import { talk } from "../pipeline/talks.ts";
import type { Claim } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";

/** Of what the control takes. Behind sixty names that hang, sixteen at a time, it would be four. */
const HARM_BOUND = 0.5;
/** How long an evaluation waits for a domain that says nothing, and the longest until it is settled then. */
const WAIT_MS = { least: 15_000, most: 20_000 };
/** The timeout and the tries of the product's own resolver. */
const PATIENCE = { timeout: 1_500, tries: 2 };
/** For the pipeline to take up what hangs. */
const SETTLE_MS = 500;

export const domainCheck: Claim<undefined> = {
  promise:
    "email_verified is what a domain's name servers say, absent while they say nothing, and nobody waits for those that hang",
  bound: `others beside names that hang ≤ ${HARM_BOUND} of a wait for one, theirs settled after 15 to 20 s; server/src/sessions/record/domain-check-dns.db.test.ts holds what is said: 0 wrong, every planted fault noticed`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ sized, say, onEnd }) => {
    const wanted = sized({
      quick: { hanging: 60, beside: 20 },
      full: { hanging: 200, beside: 100 },
    });
    const stage = await openStage();
    onEnd(() => stage.close());
    const { database } = stage;
    const names = await startScriptedDns(({ name, type }) => {
      if (name.endsWith("hanging.test")) return "silence";
      return { MX: ["10 mx.good.test"], A: ["9.9.9.9"], AAAA: [] }[type];
    });
    onEnd(() => names.close());
    const model = await startLanguageModel();
    onEnd(() => model.close());
    await stage.startServer({
      SVC_ROLE: "all",
      SVC_SHUTDOWN_SECS: "1",
      SVC_MODEL_URL: model.baseUrl,
      SVC_EVALUATION_MODEL: "rehearsal",
      SVC_DNS_SERVERS: names.server,
    });

    const hang = Array.from({ length: wanted.hanging }, (_, n) => `ada@${n}.hanging.test`);
    const hanging = await playAddresses(database, hang);
    await delay(SETTLE_MS);
    const good = Array.from({ length: wanted.beside }, (_, n) => `ada@${n}.good.test`);
    const none = good.map(() => undefined);
    const [withAddress, without, behindMs] = await Promise.all([
      playAddresses(database, good),
      playAddresses(database, none),
      oneAfterAnother(names.server),
    ]);
    const checksMs = quantile(await untilAll(database, withAddress, CHECKED), 0.5);
    const evaluationsMs = quantile(await untilAll(database, without, SETTLED), 0.5);
    const waits = await untilAll(database, hanging, SETTLED);

    const wrong = waits.filter((ms) => ms < WAIT_MS.least || ms >= WAIT_MS.most).length;
    const harm = [checksMs / behindMs, evaluationsMs / behindMs];
    say(
      `control, one after another: a good name waits ${behindMs.toFixed()} ms for one that hangs`,
    );
    return {
      figure: `checks and evaluations ${harm.map((share) => share.toFixed(2)).join(" and ")} of a wait, ${wrong} of ${waits.length} settled too early or too late`,
      ok: wrong === 0 && harm.every((share) => share <= HARM_BOUND),
      size: `${wanted.hanging} names that hang`,
    };
  },
};

/** Plays a talk for each, with that address or with none. Returns their ids. */
async function playAddresses(
  { db }: TestDatabase,
  addresses: (string | undefined)[],
): Promise<string[]> {
  const customer = await addCustomer(db);
  const ids: string[] = [];
  for (const [index, email] of addresses.entries()) {
    const session = await start(db, customer, email === undefined ? {} : { metadata: { email } });
    await speak(db, session, talk(index));
    await end(db, session);
    ids.push(session.id);
  }
  return ids;
}

/** From the end of each session until it was settled. */
const SETTLED = `SELECT extract(epoch FROM settled_at - ended_at)::float8 * 1000 AS ms
  FROM sessions WHERE id::text = ANY ($1) AND settled_at IS NOT NULL`;
/** From the commit of each address to that of its domain's answer. */
const CHECKED = `SELECT extract(epoch FROM completed_on - created_on)::float8 * 1000 AS ms
  FROM pgboss.job WHERE name = 'check-domain' AND state = 'completed' AND data ->> 'sessionId' = ANY ($1)`;

/** Waits until the query has a row for each session. */
async function untilAll({ pool }: TestDatabase, ids: string[], query: string): Promise<number[]> {
  for (;;) {
    const { rows } = await pool.query<{ ms: number }>(query, [ids]);
    if (rows.length === ids.length) return rows.map(({ ms }) => ms);
    await delay(50);
  }
}

/** The control: how long a good domain takes when it waits for its turn behind one that hangs. */
async function oneAfterAnother(server: string): Promise<number> {
  const resolver = new Resolver(PATIENCE);
  resolver.setServers([server]);
  const startedAt = performance.now();
  for (const domain of ["first.hanging.test", "second.good.test"]) {
    await resolver.resolveMx(domain).catch(() => {});
  }
  return performance.now() - startedAt;
}
