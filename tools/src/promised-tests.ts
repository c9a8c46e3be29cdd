import { dirname, join } from "node:path/posix";
import type { DriftCheck } from "./drift-check.ts";
import { repository } from "./repository.ts";
import type { Repository } from "./repository.ts";

/** Documents in which every row of a table promises something that a test holds. */
const DOCUMENTS = ["docs/operate/threat-model.md", "docs/guide/law.md"];
/** The head of the column that names it. Tables without one promise nothing. */
const COLUMNS = ["test", "held by"];
/** For what no test can hold, such as a duty of the reader. The reason follows. */
const EXEMPT = "no test: ";

export const promisedTestsCheck: DriftCheck = promisedTests(repository);

/** Every row names a test that is there, or a claim that CLAIMS.md lists, in its last cell. */
export function promisedTests(files: Repository): DriftCheck {
  const rows = () => DOCUMENTS.flatMap((document) => rowsOf(document, files.read(document) ?? ""));
  return {
    name: "promised-tests",
    summary: () => `${rows().length} rows of ${DOCUMENTS.join(" and ")}`,
    problems: () => rows().flatMap((row) => faultsOf(row, files)),
  };
}

interface Row {
  document: string;
  line: number;
  promise: string;
  heldBy: string;
}

function rowsOf(document: string, text: string): Row[] {
  const rows: Row[] = [];
  let isPromising = false;
  for (const [index, content] of text.split("\n").entries()) {
    const cells = content.split("|").slice(1, -1);
    const heldBy = cells.at(-1)?.trim();
    if (heldBy === undefined) isPromising = false;
    else if (COLUMNS.includes(heldBy)) isPromising = true;
    else if (isPromising && !/^-+$/.test(heldBy))
      rows.push({ document, line: index + 1, promise: cells[0]!.trim(), heldBy });
  }
  return rows;
}

function faultsOf({ document, line, promise, heldBy }: Row, files: Repository): string[] {
  if (heldBy.startsWith(EXEMPT)) return [];
  const tests = [...heldBy.matchAll(/\]\(([^)#]+)\)/g)]
    .map(([, target]) => join(dirname(document), target!))
    .filter((path) => /\.test\.ts$|^proofs\/src\//.test(path) && files.read(path) !== undefined);
  const listed = files.read("proofs/CLAIMS.md") ?? "";
  const claims = [...heldBy.matchAll(/`([a-z-]+)`/g)].map(([, claim]) => claim!);
  const unknown = claims.filter((claim) => !listed.includes(`\n| ${claim} |`));
  if (unknown.length > 0)
    return unknown.map(
      (claim) => `${document}:${line} names the claim ${claim}, which is not there.`,
    );
  if (tests.length + claims.length > 0) return [];
  return [
    `${document}:${line} names no test for "${promise}". Link one, name a claim, or write "${EXEMPT}" and why.`,
  ];
}
