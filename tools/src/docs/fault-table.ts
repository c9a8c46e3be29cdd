import { basename } from "node:path/posix";
import type { DriftCheck } from "../drift-check.ts";
import { repository } from "../repository.ts";
import type { Repository } from "../repository.ts";
import { cellsOf } from "../specification.ts";
import { madeSection, markdownTable } from "./made-section.ts";

const DOCUMENT = "docs/operate/reliability.md";
const TESTS = ["{contract,sdk,server,tools}/src/**/*.test.ts", "proofs/src/**/*.ts"];
const NOT_YET = "not yet";

export const faultTableCheck: DriftCheck = faultTable(repository);

/**
 * Each fault in the table names the tests that cover it. A test says so in a comment of its own
 * line, by the fault's id: `// P4`, or `// P3, P4: why`.
 */
export function faultTable(files: Repository): DriftCheck {
  const rows = () => faultsIn(files.read(DOCUMENT) ?? "");
  const idle = () => rows().filter((row) => row.coveredBy === NOT_YET);
  return madeSection(files, {
    name: "faults",
    document: DOCUMENT,
    summary: () => `${rows().length} faults, ${idle().length} of them not covered yet`,
    make(current) {
      const tests = testsByFault(files);
      return markdownTable(
        ["id", "fault", "what happens", "covered by"],
        faultsIn(current).map(({ id, fault, happens }) => [
          id,
          fault,
          happens,
          (tests.get(id) ?? []).map(link).join(", ") || NOT_YET,
        ]),
      );
    },
    faults(current) {
      const ids = faultsIn(current).map((row) => row.id);
      const unknown = [...testsByFault(files)].filter(([id]) => !ids.includes(id));
      const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
      return [
        ...unknown.map(
          ([id, tests]) =>
            `${tests.join(", ")} covers ${id}, which has no row in ${DOCUMENT}. Add it.`,
        ),
        ...repeated.map((id) => `${DOCUMENT} has a second row for ${id}. Keep one.`),
      ];
    },
  });
}

interface Fault {
  id: string;
  fault: string;
  happens: string;
  coveredBy: string;
}

function faultsIn(text: string): Fault[] {
  return text
    .split("\n")
    .filter((line) => /^\| [A-Z]\d+ \|/.test(line))
    .map((line) => {
      const [id = "", fault = "", happens = "", coveredBy = ""] = cellsOf(line);
      return { id, fault, happens, coveredBy };
    });
}

function testsByFault(files: Repository): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const path of TESTS.flatMap((pattern) => files.glob(pattern))) {
    for (const id of idsIn(files.read(path) ?? "")) {
      found.set(id, [...(found.get(id) ?? []), path]);
    }
  }
  return found;
}

function idsIn(source: string): Set<string> {
  const comments = source.matchAll(/^\s*\/\/ ([A-Z]\d{1,2}(?:, [A-Z]\d{1,2})*)(?::.*)?$/gm);
  return new Set([...comments].flatMap(([, ids]) => ids!.split(", ")));
}

function link(path: string): string {
  return `[${basename(path)}](../../${path})`;
}
