import type { Stage } from "../stage/stage.ts";
import { addCustomerOf } from "./import-case.ts";
import type { ImportCase } from "./import-case.ts";
import { importCase } from "./import-with-kills.ts";
import { walkExport } from "./walk-export.ts";
import type { Walk } from "./walk-export.ts";

export const UNLIMITED: Record<string, string> = {
  SVC_EXPORT_RATE: "1000000",
  SVC_EXPORT_BURST: "1000000",
  SVC_MIGRATE: "off",
};

/**
 * Imports the same files into another database, one after another and killed by nobody. What the
 * kills left must be the same, to the millisecond.
 */
export async function importInPeace(
  stage: Stage,
  killed: { one: ImportCase; walk: Walk }[],
  folder: string,
): Promise<{ importSecs: number; differing: number }> {
  const database = await stage.cloneDatabase();
  const { url } = await stage.startServer(UNLIMITED, database);
  let importSecs = 0;
  let differing = 0;
  for (const { one, walk } of killed) {
    const customer = await addCustomerOf(database, one);
    const began = performance.now();
    await importCase(database, customer, one, folder).ended;
    importSecs += (performance.now() - began) / 1_000;
    const { stamps, changed } = await walkExport(url, customer, one.file.expected, folder);
    differing += [...stamps].filter(([id, atMs]) => walk.stamps.get(id) !== atMs).length;
    differing += Math.abs(stamps.size - walk.stamps.size) + changed.length;
  }
  return { importSecs, differing };
}
