import { posix } from "node:path";

/** One statement that names another file of the repository. */
export interface Import {
  from: string;
  to: string;
  /**
   * - `value`: loaded together with the importing file
   * - `type`: erased before the program runs
   * - `lazy`: `import(…)`, loaded when the expression runs
   */
  kind: "value" | "type" | "lazy";
}

/**
 * Every import between these files. `aliases` maps what `package.json` files publish (`#sessions`,
 * `@svc/tools/postgres`) to the file behind the name. An import of anything else is left out.
 */
export function importsOf(
  sources: ReadonlyMap<string, string>,
  aliases: ReadonlyMap<string, string>,
): Import[] {
  return [...sources].flatMap(([from, text]) =>
    [...text.matchAll(STATEMENT)].flatMap((match): Import[] => {
      const { typeOnly, specifier, lazy } = match.groups ?? {};
      const to = targetOf(from, specifier ?? lazy ?? "", aliases);
      if (to === undefined || !sources.has(to)) return [];
      return [{ from, to, kind: lazy ? "lazy" : typeOnly ? "type" : "value" }];
    }),
  );
}

/**
 * `import … from "x"`, `import "x"` and `export … from "x"` at the start of a line, where the
 * formatter puts them, or `import("x")` anywhere.
 */
const STATEMENT =
  /^(?:import|export)\s+(?<typeOnly>type\s+(?!from\b|,))?(?:[\w$*{][^;"'`]*?\bfrom\s*)?"(?<specifier>[^"\n]+)"|\bimport\(\s*"(?<lazy>[^"\n]+)"/gm;

function targetOf(
  from: string,
  specifier: string,
  aliases: ReadonlyMap<string, string>,
): string | undefined {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier);
  return aliases.get(specifier);
}

/**
 * The circles of a graph: its strongly connected components of two files or more, so that files
 * which reach each other in several ways count once. (Tarjan's algorithm.)
 */
export function circlesOf(imports: Import[]): string[][] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  function visit(file: string): void {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    open.push(file);
    for (const { to } of targets.get(file) ?? []) {
      if (!order.has(to)) visit(to);
      if (open.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(to)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) circles.push(circle.toSorted());
  }

  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return circles.toSorted((a, b) => b.length - a.length);
}
