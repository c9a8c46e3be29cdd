import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Customer } from "@svc/server/testing";
import { checkRefusals } from "./import/check-refusals.ts";
import { compareCase } from "./import/compare.ts";
import { addCustomerOf, makeCases } from "./import/import-case.ts";
import { importCase, importWithKills } from "./import/import-with-kills.ts";
import { importNaively } from "./import/naive-import.ts";
import { walkExport } from "./import/read-export.ts";
import type { Walk } from "./import/read-export.ts";
import { startSvc } from "./import/svc-process.ts";
import { tableDigest } from "./import/table-digest.ts";
import { proof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

const UNLIMITED = { SVC_EXPORT_RATE: "1000000", SVC_EXPORT_BURST: "1000000", SVC_MIGRATE: "off" };

await proof(
  {
    promise:
      "Imported sessions come back from the export as they were given, however often the import was killed",
    bound: "0 lost, doubled or changed, 0 stamps outside the rules",
    timeLimitSecs: { quick: 90 },
  },
  async ({ full, say, onEnd, timeLeftMs }) => {
    const total = full ? 100_000 : 5_000;
    const killsPerCase = full ? 15 : 4;
    // What follows the kills takes its time too.
    const enoughMs = timeLeftMs() / 2;
    const seed = Math.floor(Math.random() * 1e9);
    const folder = await mkdtemp(join(tmpdir(), "svc-import-"));
    onEnd(() => rm(folder, { recursive: true, force: true }));
    const stage = await openStage();
    onEnd(() => stage.close());
    const cases = await makeCases(folder, total, seed);
    say(`${total} sessions for ${cases.length} accounts, seed ${seed}`);
    const { url } = await stage.startServer(UNLIMITED);
    await startSvc(stage.database, ["db", "status"], { cwd: folder }).ended;
    const read = ({ token }: Customer): Promise<Walk> => walkExport(url, token);

    const killed = await Promise.all(
      cases.map(async (one, index) => {
        const customer = await addCustomerOf(stage.database, one);
        const mayKill = (): boolean => timeLeftMs() > enoughMs;
        const plan = { kills: killsPerCase, mayKill, seed: seed + index, folder };
        const run = await importWithKills(stage.database, customer, one, plan);
        const walk = await read(customer);
        return { one, customer, ...run, walk, ...compareCase(one, customer, walk) };
      }),
    );
    for (const { one, kills, midway, end, moved, mostMs, broken } of killed) {
      const { sessions } = one.file;
      say(
        `${one.name}: ${sessions.length} sessions beside ${one.there.length}, killed ${kills} times, ${midway} with a part written; ${moved} moved, by ${mostMs} ms at most; exit ${end.exitCode}`,
      );
      for (const words of broken.slice(0, 3)) say(`  ${words}`);
    }
    const sum = (value: (one: (typeof killed)[number]) => number): number =>
      killed.reduce((all, one) => all + value(one), 0);
    const kills = sum((one) => one.kills);
    const lost = sum((one) => one.lost);
    const doubled = sum((one) => one.walk.doubled + one.strange);
    const changed = sum((one) => one.changed);
    const outsideRules = sum((one) => one.broken.length);

    // What kills left must be what an import in peace leaves, to the millisecond.
    const peaceful = await stage.cloneDatabase();
    const { url: peacefulUrl } = await stage.startServer(UNLIMITED, peaceful);
    let importSecs = 0;
    let differing = 0;
    for (const { one, walk } of killed) {
      const customer = await addCustomerOf(peaceful, one);
      const began = performance.now();
      await importCase(peaceful, customer, one, folder).ended;
      importSecs += (performance.now() - began) / 1_000;
      const stamps = new Map(walk.sessions.map(({ id, created_at }) => [id, created_at]));
      const { sessions } = await walkExport(peacefulUrl, customer.token);
      differing += sessions.filter(({ id, created_at }) => stamps.get(id) !== created_at).length;
      differing += Math.abs(sessions.length - stamps.size);
    }
    say(
      `imported in peace: ${Math.round(total / importSecs)} sessions/s, the start of svc included; ${differing} differ from the killed imports`,
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

    const naive = await read(await importNaively(stage.database, first!.one.file));
    const unread = first!.one.file.sessions.length - naive.sessions.length;
    say(
      `control, times kept as given: the reader ${naive.standsStill ? "stands still" : "gets through"}, ${unread} never read`,
    );

    return {
      figure: `${lost} lost, ${doubled} doubled, ${changed} changed of ${total}, ${outsideRules} stamps outside the rules, ${kills} kills; control never reads ${unread}`,
      ok:
        lost + doubled + changed + outsideRules + differing + refusals.wrong.length === 0 &&
        killed.every(({ end, walk }) => end.exitCode === 0 && !walk.standsStill) &&
        unchanged &&
        kills >= 10 &&
        sum((one) => one.midway) >= 5 &&
        sum((one) => one.moved) > 0 &&
        naive.standsStill &&
        unread > 0,
      size: `${total} sessions, ${kills} kills`,
    };
  },
);
