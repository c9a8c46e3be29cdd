import { execFileSync } from "node:child_process";
import { join, posix } from "node:path";
import { repository } from "./repository.ts";

/** One measured figure of the repository's size or structure. */
export interface Figure {
  name: string;
  value: number;
  unit?: "%";
  /** The most the figure may be. A figure without one is only shown. */
  bound?: number;
  /** The counted items, for those who want to bring the figure down. */
  details?: string[];
}

/** The figures of a repository with these files: text by path, code and `package.json` files. */
export function figuresOf(files: ReadonlyMap<string, string>): Figure[] {
  const code = [...files].filter(([path]) => /\.(?:tsx?|js)$/.test(path));
  const inTypeScript = code.filter(([path]) => /\.tsx?$/.test(path));
  const tests = code.filter(([path]) => isTest(path));
  const sources = new Map(code.filter(([path]) => !isTest(path)));
  const product = linesOf([...sources].filter(([path]) => isProduct(path)));
  const checking = linesOf([...sources].filter(([path]) => isChecking(path)));
  const imports = importsOf(sources, aliasesOf(files));
  const atRunTime = circlesOf(imports.filter(({ kind }) => kind === "value"));
  const all = circlesOf(imports.filter(({ kind }) => kind !== "lazy"));
  const byTypes = all.filter(
    (circle) => !atRunTime.some((one) => one.every((file) => circle.includes(file))),
  );
  const folders = largeFolders([...sources.keys()]);
  const small = smallFiles(sources, imports);
  const acrossModules = importsBetween(
    "server/src/conversation/",
    "server/src/evaluation/",
    imports,
  );
  return [
    { name: "product lines", value: product },
    { name: "test lines", value: linesOf(tests) },
    { name: "lines of proofs, rehearsal, tools and testing", value: checking },
    {
      name: "the same as a share of the product",
      value: product === 0 ? 0 : Math.round((checking / product) * 1000) / 10,
      unit: "%",
      bound: 80,
    },
    { name: ".ts files", value: inTypeScript.length },
    // A codebase of many small files is read by jumping. A count alone would forbid it to grow.
    {
      name: ".ts files per 10,000 lines",
      value: Math.round((inTypeScript.length / Math.max(1, linesOf(inTypeScript))) * 10_000),
      bound: 91,
    },
    {
      name: "import circles at run time",
      value: atRunTime.length,
      bound: 0,
      details: atRunTime.map(list),
    },
    {
      name: "import circles by types",
      value: byTypes.length,
      bound: 6,
      details: byTypes.map(list),
    },
    { name: "folders with more than 25 source files", value: folders.length, details: folders },
    {
      name: "files under 30 lines that are no entry points",
      value: small.length,
      details: Object.entries(Object.groupBy(small, posix.dirname)).map(
        ([folder, inFolder = []]) =>
          `${folder}: ${list(inFolder.map((path) => posix.basename(path)))}`,
      ),
    },
    {
      name: "imports between conversation and evaluation",
      value: acrossModules.length,
      bound: 0,
      details: acrossModules.map(({ from, to }) => `${from} imports ${to}`),
    },
  ];
}

export function isBroken({ value, bound }: Figure): boolean {
  return bound !== undefined && value > bound;
}

function isTest(path: string): boolean {
  return path.endsWith(".test.ts");
}

function isProduct(path: string): boolean {
  return (
    /^(?:console\/src|console\/build|contract\/src|sdk\/src|sdk\/build|server\/src)\//.test(path) &&
    !isChecking(path)
  );
}

function isChecking(path: string): boolean {
  return /^(?:proofs|rehearsal|tools|server\/src\/testing)\//.test(path);
}

function linesOf(files: (readonly [string, string])[]): number {
  return files.reduce((sum, [, text]) => sum + text.split("\n").length - 1, 0);
}

/** Returns the aliases that the `imports` and `exports` of every package define, such as `#sessions` and `@svc/contract/types`. */
function aliasesOf(files: ReadonlyMap<string, string>): Map<string, string> {
  const packages = [...files].filter(([path]) => posix.basename(path) === "package.json");
  return new Map(
    packages.flatMap(([path, text]) => {
      const { name = "", imports = {}, exports = {} } = JSON.parse(text) as PackageJson;
      const named = Object.entries(imports);
      const published = Object.entries(exports).map(
        ([key, to]) => [posix.join(name, key), to] as const,
      );
      return [...named, ...published].map(
        ([specifier, to]) => [specifier, posix.join(posix.dirname(path), to)] as const,
      );
    }),
  );
}

interface PackageJson {
  name?: string;
  imports?: Record<string, string>;
  exports?: Record<string, string>;
}

function largeFolders(sources: string[]): string[] {
  return Object.entries(Object.groupBy(sources, posix.dirname))
    .filter(([, files = []]) => files.length > 25)
    .map(([folder, files = []]) => `${folder}: ${files.length}`);
}

/** An entry point is an `index.ts`, or a file that no other file imports: something outside the code starts it. */
function smallFiles(sources: ReadonlyMap<string, string>, imports: Import[]): string[] {
  const imported = new Set(imports.filter(({ kind }) => kind !== "lazy").map(({ to }) => to));
  return [...sources]
    .filter(([path, text]) => linesOf([[path, text]]) < 30 && imported.has(path))
    .map(([path]) => path)
    .filter((path) => posix.basename(path) !== "index.ts");
}

function importsBetween(one: string, other: string, imports: Import[]): Import[] {
  return imports.filter(
    ({ from, to }) =>
      (from.startsWith(one) && to.startsWith(other)) ||
      (from.startsWith(other) && to.startsWith(one)),
  );
}

function list(files: string[]): string {
  return files.join(", ");
}

/** The files that git knows, and new ones that it does not ignore. */
function filesOfRepository(): Map<string, string> {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
    cwd: join(import.meta.dirname, "../.."),
  });
  const paths = listed.split("\n").filter((path) => /\.(?:tsx?|js)$|package\.json$/.test(path));
  // git also lists a file that was deleted but not committed yet.
  return new Map(
    paths.flatMap((path) => {
      const text = repository.read(path);
      return text === undefined ? [] : [[path, text] as const];
    }),
  );
}

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

if (process.argv[1] === import.meta.filename) {
  const figures = figuresOf(filesOfRepository());
  console.log(
    "A circle is a strongly connected component of the import graph: files that all reach each other count once.",
  );
  for (const figure of figures) {
    const { name, value, unit = "", bound, details = [] } = figure;
    const limit = bound === undefined ? "" : ` (at most ${bound.toLocaleString("en")}${unit})`;
    console.log(
      `${isBroken(figure) ? "BROKEN" : "      "} ${name}: ${value.toLocaleString("en")}${unit}${limit}`,
    );
    for (const detail of details) console.log(`         - ${detail}`);
  }
  process.exitCode = figures.some(isBroken) ? 1 : 0;
}
