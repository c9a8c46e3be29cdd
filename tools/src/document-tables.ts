import { basename } from "node:path/posix";
import { madeSection, markdownTable } from "./drift-check.ts";
import type { DriftCheck } from "./drift-check.ts";
import { parts } from "./lint/import-table.ts";
import type { Part } from "./lint/import-table.ts";
import { askServer, repository } from "./repository.ts";
import type { Repository } from "./repository.ts";
import { cellsOf } from "./spec-coverage.ts";

const FAULTS_PAGE = "docs/operate/reliability.md";
const TESTS = ["{contract,sdk,server,tools}/src/**/*.test.ts", "proofs/src/**/*.ts"];
const NOT_YET = "not yet";

export const faultTableCheck: DriftCheck = faultTable(repository);

/**
 * Each fault in the table names the tests that cover it. A test says so in a comment of its own
 * line, by the fault's id: `// P4`, or `// P3, P4: why`.
 */
export function faultTable(files: Repository): DriftCheck {
  const rows = () => faultsIn(files.read(FAULTS_PAGE) ?? "");
  const idle = () => rows().filter((row) => row.coveredBy === NOT_YET);
  return madeSection(files, {
    name: "faults",
    document: FAULTS_PAGE,
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
            `${tests.join(", ")} covers ${id}, which has no row in ${FAULTS_PAGE}. Add it.`,
        ),
        ...repeated.map((id) => `${FAULTS_PAGE} has a second row for ${id}. Keep one.`),
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

interface Variable {
  name: string;
  fileVariable?: string;
  default: string;
  meaning: string;
}

/** What operators copy that sets the server's variables. The proxies' samples have variables of their own. */
const SETTING_FILES = "deploy/{helm,systemd}/**/*";

export const configTableCheck: DriftCheck = configTable(repository, variablesOfServer);

/**
 * The page of all environment variables shows what the server's configuration says of itself, and what
 * operators copy names no others: the server ignores a variable that it does not know.
 */
export function configTable(files: Repository, read: () => Variable[]): DriftCheck {
  return madeSection(files, {
    name: "config-table",
    document: "docs/operate/configuration.md",
    summary: () => `${read().length} environment variables`,
    make: () =>
      markdownTable(
        ["variable", "default", "meaning"],
        read().map((one) => [
          `\`${one.name}\`` + (one.fileVariable ? `, \`${one.fileVariable}\`` : ""),
          one.default === "required" ? "**required**" : `\`${one.default}\``,
          one.meaning,
        ]),
      ),
    faults() {
      const known = new Set(read().flatMap((one) => [one.name, one.fileVariable]));
      return files.glob(SETTING_FILES).flatMap((path) => {
        const named = new Set(files.read(path)?.match(/\bSVC_[A-Z\d_]*[A-Z\d]\b/g));
        return [...named]
          .filter((name) => !known.has(name))
          .map((name) => `${path} sets ${name}, which the server does not know. Correct it.`);
      });
    },
  });
}

let variables: Variable[] | undefined;

function variablesOfServer(): Variable[] {
  variables ??= askServer("./src/config.ts", "describeConfig") as Variable[];
  return variables;
}

const DEPENDENCIES_PAGE = "CONTRIBUTING.md";

export const dependencyTableCheck: DriftCheck = dependencyTable(repository);

/** Every npm package that the product runs on has a row: its licence is looked up, its reason is written. */
export function dependencyTable(files: Repository): DriftCheck {
  return madeSection(files, {
    name: "dependencies",
    document: DEPENDENCIES_PAGE,
    summary: () => `${dependencies(files).length} packages`,
    make(current) {
      const written = rowsByPackage(current);
      return markdownTable(
        ["package", "licence", "brings", "why"],
        dependencies(files).map((name) => {
          const { brings = "", why = "" } = written.get(name) ?? {};
          return [name, licenceOf(name, files), brings, why];
        }),
      );
    },
    faults: (current) => [
      ...[...rowsByPackage(current)]
        .filter(([, { brings, why }]) => brings === "" || why === "")
        .map(
          ([name]) =>
            `${DEPENDENCIES_PAGE} does not say what ${name} brings along and why. Say it.`,
        ),
      ...dependencies(files)
        .filter((name) => licenceOf(name, files) === UNKNOWN)
        .map(
          (name) =>
            `package-lock.json names no licence of ${name}. Look it up, and take no package without one.`,
        ),
    ],
  });
}

const WORKSPACES = ["contract", "server"];
const UNKNOWN = "unknown";

function dependencies(files: Repository): string[] {
  const names = WORKSPACES.flatMap((workspace) =>
    Object.keys(manifest(`${workspace}/package.json`, files).dependencies ?? {}),
  );
  return [...new Set(names)].filter((name) => !name.startsWith("@svc/")).toSorted();
}

/** From the lock file, which is the same whatever is installed here. npm puts a package into its workspace where the root has another version. */
function licenceOf(name: string, files: Repository): string {
  const lock = JSON.parse(files.read("package-lock.json") ?? "{}") as {
    packages?: Record<string, { license?: string }>;
  };
  const places = [...WORKSPACES.map((workspace) => `${workspace}/`), ""];
  return (
    places
      .map((place) => lock.packages?.[`${place}node_modules/${name}`]?.license)
      .find((licence) => licence !== undefined) ?? UNKNOWN
  );
}

function manifest(path: string, files: Repository): { dependencies?: Record<string, string> } {
  return JSON.parse(files.read(path) ?? "{}") as object;
}

function rowsByPackage(text: string): Map<string, { brings: string; why: string }> {
  const [, , ...lines] = text.split("\n").filter((line) => line.startsWith("|"));
  return new Map(
    lines.map((line) => {
      const [name = "", , brings = "", why = ""] = cellsOf(line);
      return [name, { brings, why }];
    }),
  );
}

export const importRowsCheck: DriftCheck = importRows(repository, parts);

/** ARCHITECTURE.md shows the import table that the lint rule reads. */
export function importRows(files: Repository, table: Part[]): DriftCheck {
  return madeSection(files, {
    name: "import-table",
    document: "ARCHITECTURE.md",
    summary: () => `${table.length} parts`,
    make: () =>
      markdownTable(
        ["part", "where", "may import"],
        equalsTogether(table).map((group) => [
          group.map((part) => part.name).join(", "),
          group.map((part) => whereIs(part, files)).join(", "),
          mayImport(group[0]!, table),
        ]),
      ),
  });
}

/** Neighbours of one kind that may import the same share a row. */
function equalsTogether(table: Part[]): Part[][] {
  const rightsOf = ({ kind, may, mayAsTypes, packages }: Part): string =>
    JSON.stringify([kind, may, mayAsTypes, packages]);
  const groups: Part[][] = [];
  for (const part of table) {
    const last = groups.at(-1);
    if (last !== undefined && rightsOf(last[0]!) === rightsOf(part)) last.push(part);
    else groups.push([part]);
  }
  return groups;
}

function whereIs({ at }: Part, files: Repository): string {
  return `\`${at}${at.endsWith(".ts") ? "" : "/"}\`${files.glob(at).length === 0 ? " (later)" : ""}`;
}

function mayImport(part: Part, table: Part[]): string {
  const named = withKindsTogether(part.may, table).filter(
    // A part that may import a package with all its parts is listed with the package alone.
    (name) => !part.may.some((whole) => name.startsWith(`${whole}/`)),
  );
  const asTypes = (part.mayAsTypes ?? []).map((name) => `${name} (types only)`);
  const packages = part.packages === "any" ? ["npm packages"] : part.packages;
  return [...named, ...asTypes, ...packages].join(", ") || "nothing";
}

function withKindsTogether(names: string[], table: Part[]): string[] {
  let left = names;
  for (const kind of ["module", "adapter"]) {
    const all = table.filter((part) => part.kind === kind).map((part) => part.name);
    const hasAll = all.length > 0 && all.every((name) => left.includes(name));
    if (hasAll) left = [...left.filter((name) => !all.includes(name)), `every ${kind}`];
  }
  return left;
}
