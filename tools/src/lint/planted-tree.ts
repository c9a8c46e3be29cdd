import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";

/**
 * A boundary of the architecture and the files that try to get past it. A line that ends with `//!`
 * crosses the boundary and must be reported by `rule`, once, with a message that contains `says` or the
 * words after `//!`. Every other line is lawful: a rule that bans everything reports it too.
 */
export interface Boundary {
  name: string;
  /** As oxlint prints it: "svc(imports)". */
  rule: string;
  says: string;
  files: Record<string, string>;
}

/** The findings of oxlint in a tree of planted files only, with our rules and without them. */
export interface PlantedTree {
  expectCaught(boundary: Boundary): void;
  expectNothingElse(): void;
  expectNothingWithoutRules(): void;
}

interface Line {
  boundary: Boundary;
  /** "path:line" */
  at: string;
  /** Empty on a lawful line. */
  expected: { rule: string; message: string }[];
}

interface Finding {
  /** "path:line" */
  at: string;
  rule: string;
  message: string;
}

export async function lintPlanted(boundaries: Boundary[]): Promise<PlantedTree> {
  const { files, lines } = plant(boundaries);
  const [withRules, withoutRules] = await Promise.all([lint(files, true), lint(files, false)]);
  const foundAt = Map.groupBy(withRules, ({ at }) => at);
  return {
    expectCaught(boundary) {
      const own = lines.filter((line) => line.boundary === boundary);
      expect(own.some(({ expected }) => expected.length > 0)).toBe(true);
      expect(own.map(({ at }) => [at, foundAt.get(at) ?? []])).toEqual(
        own.map(({ at, expected }) => [
          at,
          expected.map(({ rule, message }) => ({
            at,
            rule,
            message: expect.stringContaining(message),
          })),
        ]),
      );
    },
    expectNothingElse() {
      const planted = new Set(lines.map(({ at }) => at));
      expect(withRules.filter(({ at }) => !planted.has(at))).toEqual([]);
    },
    expectNothingWithoutRules: () => expect(withoutRules).toEqual([]),
  };
}

/** Boundaries that use the same file share it, one below the other. The marks are left out: a rule must not see them. */
export function plant(boundaries: Boundary[]): { files: Map<string, string>; lines: Line[] } {
  const files = new Map<string, string>();
  const lines: Line[] = [];
  for (const boundary of boundaries) {
    for (const [path, code] of Object.entries(boundary.files)) {
      const above = files.get(path) ?? "";
      const first = above.split("\n").length;
      let text = "";
      for (const [index, line] of code.split("\n").entries()) {
        const [lawful = "", mark] = line.split(/\s*\/\/!\s*/);
        const { rule } = boundary;
        const expected = mark === undefined ? [] : [{ rule, message: mark || boundary.says }];
        lines.push({ boundary, at: `${path}:${first + index}`, expected });
        text += `${lawful}\n`;
      }
      files.set(path, above + text);
    }
  }
  return { files, lines };
}

const root = join(import.meta.dirname, "../../..");
const ownRules = "tools/src/lint";

async function lint(files: Map<string, string>, withRules: boolean): Promise<Finding[]> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "svc-planted-")));
  try {
    await cp(join(root, "tsconfig.base.json"), join(home, "tsconfig.json"));
    await cp(join(root, ownRules), join(home, ownRules), { recursive: true });
    await symlink(join(root, "node_modules"), join(home, "node_modules"));
    const config = join(home, ".oxlintrc.json");
    if (withRules) await cp(join(root, ".oxlintrc.json"), config);
    else await writeFile(config, JSON.stringify({ categories: { correctness: "off" } }));
    for (const [path, code] of files) {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), code);
    }
    return await runOxlint(home);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function runOxlint(home: string): Promise<Finding[]> {
  const program = join(root, "node_modules/oxlint/bin/oxlint");
  // Only planted files count. The tree has no .gitignore, so node_modules must be named.
  const ignored = [ownRules, "node_modules"].flatMap((path) => ["--ignore-pattern", path]);
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [program, "--format=json", ...ignored],
    { cwd: home, maxBuffer: 2 ** 26 },
    // Exit code 1 only says that there are findings.
  ).catch((failure: { stdout: string; stderr: string }) => failure);
  if (!stdout.startsWith("{"))
    throw new Error(`oxlint gave no findings to read: ${stdout}${stderr}`);
  const { diagnostics } = JSON.parse(stdout) as OxlintOutput;
  return diagnostics.map(({ filename, labels, code, message, help = "" }) => ({
    at: `${filename}:${labels[0]?.span.line ?? 0}`,
    rule: code,
    message: `${message} ${help}`,
  }));
}

interface OxlintOutput {
  diagnostics: {
    message: string;
    code: string;
    help?: string;
    filename: string;
    labels: { span: { line: number } }[];
  }[];
}
