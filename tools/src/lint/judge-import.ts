import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { homes, parts } from "./import-table.ts";
import type { Home, Part } from "./import-table.ts";
import { holds, partAt } from "./place.ts";
import type { Place } from "./place.ts";

export interface Import {
  specifier: string;
  typesOnly: boolean;
  /** Imported values by name: `default`, and `*` for everything. */
  names: string[];
}

/** Returns what is wrong with an import, or undefined. */
export function judgeImport(place: Place, wanted: Import): string | undefined {
  const { part } = place;
  if (part === undefined) return undefined;
  const { specifier } = wanted;
  if (specifier.startsWith(".")) return judgePath(place, part, wanted);
  if (/^(#|@svc\/)/.test(specifier)) return judgeEntryPoint(place, part, wanted);
  return judgePackage(place, part, wanted);
}

/** A file under `src/` that no row of the table covers would be free to import anything. */
export function judgePlace({ path, part }: Place): string | undefined {
  const uncovered = part === undefined && /^[^/]+\/src\/./.test(path);
  if (!uncovered) return undefined;
  return `${path} has no row in the import table, so nothing guards what it imports. Add its folder to tools/src/lint/import-table.ts, or move it into a part that has one.`;
}

function judgePath(place: Place, part: Part, wanted: Import): string | undefined {
  const path = posix.join(posix.dirname(place.path), wanted.specifier);
  const target = partAt(path);
  if (target === part) return undefined;
  const samePackage = packageOf(path) === packageOf(place.path);
  if (target === undefined && samePackage && part.kind === "root") return undefined;
  const reachable =
    target !== undefined &&
    samePackage &&
    (target.byPath === true || holds(target.at, part.at) || holds(part.at, target.at));
  if (reachable) return judgePart(place, part, target, wanted);
  const entryPoint = target?.entryPoints?.[0];
  return `${part.name} may not leave its folder by "${wanted.specifier}": other parts reach a part through its entry point only, so that its inside can change. ${entryPoint === undefined ? "Take what you need as an argument" : `Import "${entryPoint}"`}.`;
}

function judgeEntryPoint(place: Place, part: Part, wanted: Import): string | undefined {
  const target = parts.find((one) =>
    one.entryPoints?.some((entryPoint) => matches(entryPoint, wanted.specifier)),
  );
  if (target !== undefined) return judgePart(place, part, target, wanted);
  const nearest = parts.find((one) =>
    one.entryPoints?.some((entryPoint) => holds(entryPoint.replace("/*", ""), wanted.specifier)),
  );
  return `"${wanted.specifier}" is not an entry point of any part: what is behind one is private to its part. ${nearest?.entryPoints === undefined ? "Import a part by an entry point that the import table names" : `Import "${nearest.entryPoints[0]}"`}.`;
}

function judgePart(place: Place, part: Part, target: Part, wanted: Import): string | undefined {
  if (target === part || part.may.includes(target.name)) return undefined;
  if (place.isTest && (target.kind === "testing" || packageOf(target.at) === "contract")) {
    return undefined;
  }
  if (part.mayAsTypes?.includes(target.name) === true) {
    if (wanted.typesOnly) return undefined;
    return `${part.name} may import ${target.name} as types only: ${part.because}. Write "import type".`;
  }
  return `${part.name} may not import ${target.name}: ${target.keepOut ?? part.because}.`;
}

function judgePackage(place: Place, part: Part, wanted: Import): string | undefined {
  if (place.isTest || part.kind === "testing") return undefined;
  const name = packageName(wanted.specifier);
  const home = homes.find(
    (one) =>
      one.within === packageOf(place.path) && one.packages.some((other) => matches(other, name)),
  );
  if (home !== undefined) return judgeHome(place, name, home, wanted);
  if (part.packages === "any" || part.packages.includes(name)) return undefined;
  return `${part.name} may not import "${name}": ${part.because}.`;
}

function judgeHome(place: Place, name: string, home: Home, wanted: Import): string | undefined {
  const atHome = home.in.some((at) => (at === "store" ? place.isStore : place.path.startsWith(at)));
  const harmless =
    wanted.names.length > 0 && wanted.names.every((one) => home.freeNames?.includes(one));
  if (atHome || harmless || (home.typesAnywhere === true && wanted.typesOnly)) return undefined;
  return `"${name}" may not be imported here: ${home.because}.`;
}

function matches(pattern: string, text: string): boolean {
  return pattern.endsWith("/*") ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}

function packageOf(path: string): string {
  return path.split("/", 1)[0] ?? "";
}

/** `pg/lib/x` is of `pg`, `@a/b/c` of `@a/b`, `http` is `node:http`. */
function packageName(specifier: string): string {
  if (isBuiltin(specifier)) {
    const [name = ""] = specifier.replace("node:", "").split("/");
    return `node:${name}`;
  }
  const [first = "", second = ""] = specifier.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}
