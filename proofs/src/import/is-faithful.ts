import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Claim } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { checkRefusals } from "./check-refusals.ts";
import { tableDigest } from "./check-stamps.ts";
import { addCustomerOf, importNaively, makeCases, startSvc } from "./import-case.ts";
import { UNLIMITED, importCase, importInPeace, importWithKills } from "./import-with-kills.ts";
import { compareCase, walkExport } from "./walk-export.ts";

export const importIsFaithful: Claim<undefined> = {
  promise:
    "Imported sessions come back from the export as they were given, however often the import was killed",
  bound: "0 lost, doubled or changed, 0 stamps outside the rules",
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ seed, full, say, onEnd, timeLeftMs }) => {
    const total = full ? 100_000 : 5_000;
    const killsPerCase = full ? 15 : 4;
    // What follows the kills takes its time too.
    const enoughMs = full ? 0.6 * timeLeftMs() : 0;
    const folder = await mkdtemp(join(tmpdir(), "svc-import-"));
    onEnd(() => rm(folder, { recursive: true, force: true }));
    const stage = await openStage();
    onEnd(() => stage.close());
    const cases = await makeCases(folder, total, seed);
    say(`${total} sessions for ${cases.length} accounts, seed ${seed}`);
    const { url } = await stage.startServer(UNLIMITED);
    // Leaves compiled code for the others; who is killed never would.
    await startSvc(stage.database, ["db", "status"], { cwd: folder }).ended;
    const killed = await Promise.all(
      cases.map(async (one, index) => {
        const customer = await addCustomerOf(stage.database, one);
        const mayKill = (): boolean => timeLeftMs() > enoughMs;
        const plan = { kills: killsPerCase, mayKill, seed: seed + index, folder };
        const run = await importWithKills(stage.database, customer, one, plan);
        const walk = await walkExport(url, customer, one.file.expected, folder);
        return { one, customer, ...run, walk, ...compareCase(one, walk) };
      }),
    );
    for (const { one, kills, midway, end, moved, mostMs, broken } of killed) {
      const { sessions } = one.file;
      say(
        `${one.name}: ${sessions.length} sessions beside ${one.there.length}, killed ${kills} times, ${midway} with a part written; ${moved} moved, by ${mostMs} ms at most; exit ${end.exitCode}`,
      );
      for (const words of broken.slice(0, 3)) say(`  ${words}`);
      if (end.exitCode !== 0) say(`  ${JSON.stringify(end.output)} ${end.errors}`);
    }
    const sum = (value: (one: (typeof killed)[number]) => number): number =>
      killed.reduce((all, one) => all + value(one), 0);
    const kills = sum((one) => one.kills);
    const lost = sum((one) => one.lost);
    const doubled = sum((one) => one.doubled);
    const changed = sum((one) => one.changed);
    const outsideRules = sum((one) => one.broken.length);

    const peace = await importInPeace(stage, killed, folder);
    say(
      `imported in peace: ${Math.round(total / peace.importSecs)} sessions/s, the start of svc included; ${peace.differing} differ from the killed imports`,
    );

    const before = await tableDigest(stage.database);
    const again = await Promise.all(
      killed.map(({ one, customer }) => importCase(stage.database, customer, one, folder).ended),
    );
    const unchanged =
      (await tableDigest(stage.database)) === before &&
      again.every(({ exitCode, output }) => exitCode === 0 && output["imported"] === 0);
    say(`imported once more: ${unchanged ? "nothing changed" : "something changed"}`);

    const [first, second] = killed;
    const refusals = await checkRefusals(stage.database, first!.customer, second!.customer, folder);
    say(
      `refusals: ${refusals.planted} planted lines, ${refusals.wrong.length} not as they must be`,
    );
    for (const words of refusals.wrong.slice(0, 3)) say(`  ${words}`);

    const naively = await importNaively(stage.database, first!.one.file);
    const naive = await walkExport(url, naively, [], folder);
    const unread = first!.one.file.sessions.length - naive.stamps.size;
    say(
      `control, times kept as given: the reader ${naive.standsStill ? "stands still" : "gets through"}, ${unread} never read`,
    );

    const otherFaults =
      peace.differing +
      refusals.wrong.length +
      (unchanged ? 0 : 1) +
      killed.filter(({ end, walk }) => end.exitCode !== 0 || walk.standsStill).length;
    const figures = [
      `${lost} lost, ${doubled} doubled, ${changed} changed of ${total} after ${kills} kills`,
      `${outsideRules} stamps outside the rules`,
      ...(otherFaults > 0 ? [`${otherFaults} other faults`] : []),
      `control never reads ${unread}`,
    ];
    return {
      figure: figures.join(", "),
      ok:
        lost + doubled + changed + outsideRules + otherFaults === 0 &&
        kills >= 10 &&
        sum((one) => one.midway) >= 5 &&
        sum((one) => one.moved) > 0 &&
        naive.standsStill &&
        unread > 0,
      size: `${total} sessions, ${kills} kills`,
    };
  },
};
