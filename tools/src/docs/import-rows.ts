import type { DriftCheck } from "../drift-check.ts";
import { parts } from "../lint/import-table.ts";
import type { Part } from "../lint/import-table.ts";
import { repository } from "../repository.ts";
import type { Repository } from "../repository.ts";
import { madeSection, markdownTable } from "./made-section.ts";

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
    // Who may import a package with all its parts is said to import the package.
    (name) => !part.may.some((whole) => name.startsWith(`${whole}/`)),
  );
  const asTypes = (part.mayAsTypes ?? []).map((name) => `${name} (types only)`);
  const packages = part.packages === "any" ? ["npm packages"] : part.packages;
  return [...named, ...asTypes, ...packages].join(", ") || "nothing";
}

function withKindsTogether(names: string[], table: Part[]): string[] {
  let left = names;
  for (const kind of ["room", "edge"]) {
    const all = table.filter((part) => part.kind === kind).map((part) => part.name);
    const hasAll = all.length > 0 && all.every((name) => left.includes(name));
    if (hasAll) left = [...left.filter((name) => !all.includes(name)), `every ${kind}`];
  }
  return left;
}
