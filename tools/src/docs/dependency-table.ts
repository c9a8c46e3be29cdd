import type { DriftCheck } from "../drift-check.ts";
import { repository } from "../repository.ts";
import type { Repository } from "../repository.ts";
import { cellsOf } from "../specification.ts";
import { madeSection, markdownTable } from "./made-section.ts";

const DOCUMENT = "CONTRIBUTING.md";

export const dependencyTableCheck: DriftCheck = dependencyTable(repository);

/** Every npm package that the product runs on has a row: its licence is looked up, its reason is written. */
export function dependencyTable(files: Repository): DriftCheck {
  return madeSection(files, {
    name: "dependencies",
    document: DOCUMENT,
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
    faults: (current) =>
      [...rowsByPackage(current)]
        .filter(([, { brings, why }]) => brings === "" || why === "")
        .map(([name]) => `${DOCUMENT} does not say what ${name} brings along and why. Say it.`),
  });
}

function dependencies(files: Repository): string[] {
  const names = ["contract", "server"].flatMap((workspace) =>
    Object.keys(manifest(`${workspace}/package.json`, files).dependencies ?? {}),
  );
  return [...new Set(names)].filter((name) => !name.startsWith("@svc/")).toSorted();
}

function licenceOf(name: string, files: Repository): string {
  return manifest(`node_modules/${name}/package.json`, files).license ?? "unknown";
}

function manifest(
  path: string,
  files: Repository,
): { license?: string; dependencies?: Record<string, string> } {
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
