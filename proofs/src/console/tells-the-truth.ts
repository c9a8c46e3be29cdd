import type { ConsoleFunnel } from "@svc/contract/types";
import { Random } from "@svc/tools/random";
import type { Claim } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { Comparison } from "./comparison.ts";
import {
  compareDeliveries,
  compareOverview,
  compareSessions,
  compareStories,
  searchesIn,
} from "./compare-answers.ts";
import { comparePages, Reader, seeOverview } from "./compare-pages.ts";
import { ofAccount } from "./expected.ts";
import type { MadeSession } from "./generate-sessions.ts";
import { asker, makeWorld } from "./made-world.ts";

/** A page that shows a wrong sum is looked at for so long. */
const PLANTED_WITHIN_MS = 5_000;

export const consoleTellsTheTruth: Claim = {
  promise:
    "Every number and point that the console shows is what the sessions themselves add up to, for whoever looks, whatever they filter by",
  bound:
    "0 of all values differ from a computation that does not ask the product; each planted wrong value is noticed",
  tier: "nightly",
  timeLimitSecs: { quick: 300, full: 2700 },
  prove: async (tools) => {
    const { seed, say, sized, onEnd } = tools;
    const stage = await openStage();
    onEnd(() => stage.close());
    const count = sized({ quick: 1_000, full: 10_000 });
    const nowMs = Date.now();
    const world = await makeWorld(stage.database, count, seed, nowMs);
    const server = await stage.startServer();
    const ask = await asker(stage, server.url, ["--name", "Ada", "--role", "admin"]);
    // Before anything is compared: minutes later it would tell that the console is not built.
    const reader = await Reader.signIn(stage, server.url, tools);
    // Each look writes the digests of some sessions that have settled.
    const { pool } = stage.database;
    const due = "SELECT count(*)::integer AS count FROM session_digests_due";
    while ((await pool.query<{ count: number }>(due)).rows[0]!.count > 0) {
      await ask<ConsoleFunnel>("funnel", { since: new Date(nowMs).toISOString() });
    }
    const random = new Random(seed, 1);
    const shown = new Comparison();
    const told = random.pickSeveral(world.sessions, sized({ quick: 30, full: 500 }));
    const searches = searchesIn(world, random, sized({ quick: 10, full: 60 }));
    await compareOverview(world, ask, nowMs, shown);
    await compareSessions(world, ask, searches, shown);
    await compareStories(world, ask, told, nowMs, shown);
    await compareDeliveries(world, ask, nowMs, shown);
    const theirs = ofAccount(world, 1);
    const login = ["--name", "Bo", "--role", "viewer", "--account", world.accounts[1]!.name];
    const askAsViewer = await asker(stage, server.url, login);
    const seen = searches.filter(
      ({ account, agent }) => account === undefined && agent === undefined,
    );
    await compareOverview(theirs, askAsViewer, nowMs, shown);
    await compareSessions(theirs, askAsViewer, seen, shown);
    await compareDeliveries(theirs, askAsViewer, nowMs, shown);

    const answered = shown.values;
    const others = random.pickSeveral(world.sessions, sized({ quick: 2, full: 40 }));
    await comparePages(world, reader, nowMs, [...oneOfEach(world.sessions), ...others], shown);
    for (const fault of shown.faults.slice(0, 20)) say(fault);

    const unnoticed: string[] = [];
    const look = async (
      planted: string,
      sql: string,
      compare: (comparison: Comparison) => Promise<void>,
    ): Promise<void> => {
      await pool.query(sql);
      const comparison = new Comparison();
      await compare(comparison);
      if (comparison.faults.length === 0) unnoticed.push(planted);
    };
    const failed = "(SELECT max(id) FROM deliveries WHERE state = 'exhausted' AND NOT followed)";
    await look(
      "a failed delivery",
      `UPDATE deliveries SET followed = true WHERE id = ${failed}`,
      (one) => compareDeliveries(world, ask, nowMs, one),
    );
    await look(
      "a session that is not found",
      "UPDATE session_digests SET terms = '' WHERE session_id = (SELECT session_id FROM session_digests WHERE qualified LIMIT 1)",
      (one) => compareSessions(world, ask, [{ qualification: "qualified" }], one),
    );
    await look(
      "a sum",
      `UPDATE session_tallies SET started = started + 1 WHERE dimension = 'all' AND day = (SELECT max(day) FROM session_tallies)`,
      (one) => seeOverview(world, reader, nowMs, one, 28, undefined, PLANTED_WITHIN_MS),
    );
    for (const planted of unnoticed) say(`control: ${planted} was planted and not noticed`);
    const pages = (shown.values - answered).toLocaleString("en");
    return {
      figure: `${shown.faults.length} of ${shown.values.toLocaleString("en")} values differ, ${pages} of them read on pages`,
      ok: shown.faults.length === 0 && unnoticed.length === 0,
      size: `${count.toLocaleString("en")} sessions`,
      engines: [reader.version],
    };
  },
};

/** One session of each kind that a page shows in its own way. */
function oneOfEach(sessions: MadeSession[]): MadeSession[] {
  const kinds: ((one: MadeSession) => boolean)[] = [
    ({ status }) => status === "active",
    ({ status }) => status === "error",
    ({ test, verdicts }) => test && verdicts.length > 1,
    ({ imported }) => imported,
    ({ deliveries }) => deliveries.some(({ followed }) => followed),
    ({ deliveries }) => deliveries.some(({ state }) => state === "orphaned"),
    ({ deliveries }) => deliveries.some(({ state }) => state === "cancelled"),
    ({ deliveries }) => deliveries.some(({ state }) => state === "waiting"),
  ];
  return kinds.flatMap((isOfKind) => sessions.findLast(isOfKind) ?? []);
}
