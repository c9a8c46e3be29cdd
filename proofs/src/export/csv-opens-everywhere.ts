import { count } from "../runner/figures.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addCustomer, seedSettled } from "@svc/server/testing";
import type { Claim } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { calcTexts, calcVersion, findFormulas, readInCalc } from "./csv/calc.ts";
import { checkTables, fetchMarks, fetchTable } from "./csv/fetch-table.ts";
import { hostileSessions, pieceCount } from "./csv/hostile-sessions.ts";
import { faultyFiles, papaReader, pythonReader, readersThatShow } from "./csv/readers.ts";
import { fullPages, tableRequests, wantedTable } from "./csv/table-request.ts";
import { firstDifference, tableOf } from "./csv/table.ts";
import type { Table } from "./csv/table.ts";

export const csvOpensEverywhere: Claim<undefined> = {
  promise:
    "The CSV export opens unchanged in Python, Papa Parse and LibreOffice Calc, and no cell becomes a formula.",
  bound: "0 tables differ, 0 formulas, every planted fault shown by every reader",
  // LibreOffice is as slow to start on a busy machine as a browser.
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ seed, full, say, progress, timeLeftMs, onEnd }) => {
    const size = full
      ? { tables: 200_000, sessions: 20_000, calcPages: 40 }
      : { tables: 2_000, sessions: 2_000, calcPages: 4 };
    const home = await mkdtemp(join(tmpdir(), "svc-csv-"));
    onEnd(() => rm(home, { recursive: true, force: true }));
    const stage = await openStage();
    onEnd(() => stage.close());

    const customer = await addCustomer(stage.database.db);
    const sessions = hostileSessions(size.sessions, customer.agent.agentId, seed);
    await seedSettled(stage.database.pool, customer, sessions);
    const server = await stage.startServer({
      SVC_EXPORT_RATE: "1000000",
      SVC_EXPORT_BURST: "1000000",
    });
    const reach = { url: server.url, token: customer.token };
    const python = pythonReader(onEnd);

    const pages = new Map<string, Table>();
    const files = new Map<string, Buffer>();
    for (const request of fullPages(sessions, size.calcPages, seed)) {
      const name = `page-${pages.size}`;
      pages.set(name, wantedTable(sessions, request));
      files.set(name, await fetchTable(reach, request));
    }
    const known = tableOf(sessions.slice(0, pieceCount), ["id", "metadata", "summary", "email"]);
    const faulty = faultyFiles(known);
    const [inCalc, sheets, calc] = await Promise.all([
      readInCalc(home, new Map([...files, ...faulty]), python),
      findFormulas(home, new Map([...files, ...faulty])),
      calcVersion(),
    ]);

    const differing: string[] = [];
    let cells = 0;
    let formulas = 0;
    for (const [name, table] of pages) {
      const difference = firstDifference(calcTexts(table), inCalc.get(name)!);
      if (difference !== undefined) differing.push(`${name}: ${difference}`);
      cells += sheets.get(name)!.cells;
      formulas += sheets.get(name)!.formulas.length;
    }
    say(
      `${calc}: ${differing.length} of ${pages.size} tables of 100 rows differ, ${formulas} formulas in ${count(cells)} cells`,
    );
    for (const one of differing.slice(0, 5)) say(`  ${one}`);

    let shown = 0;
    for (const [fault, file] of faulty) {
      const by = await readersThatShow([python, papaReader], known, file);
      if (firstDifference(calcTexts(known), inCalc.get(fault)!)) by.push(calc);
      say(`planted ${fault}: shown by ${by.join(", ")}`);
      shown += by.length;
    }
    const control = sheets.get("no-apostrophe")!.formulas;
    say(`control without the apostrophe: ${control.length} formulas, the first in ${control[0]}`);

    let tables = 0;
    await checkTables({
      reach,
      readers: [python, papaReader],
      requests: tableRequests(sessions, await fetchMarks(reach, sessions)),
      wanted: (request) => wantedTable(sessions, request),
      seed,
      total: size.tables,
      timeMs: timeLeftMs(),
      onTable: () => progress(++tables, size.tables, "tables read by Python and Papa Parse"),
    });
    say(`Python csv and Papa Parse: 0 of ${count(tables)} tables differ`);

    return {
      figure: `${differing.length} of ${count(tables + pages.size)} tables differ, ${formulas} formulas`,
      ok:
        tables > 0 &&
        cells > 0 &&
        differing.length === 0 &&
        formulas === 0 &&
        shown === 3 * faulty.size &&
        control.length > 0,
      size: `${count(tables)} tables, ${pages.size} of them in Calc`,
      engines: [calc],
    };
  },
};
