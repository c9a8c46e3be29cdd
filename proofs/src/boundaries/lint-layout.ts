import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withoutMarks } from "./wall.ts";

export interface Finding {
  /** "path:line" */
  at: string;
  rule: string;
  message: string;
}

const root = join(import.meta.dirname, "../../..");
const configName = ".oxlintrc.json";
const ownRules = "tools/src/lint";

/** A layout of its own: our lint configuration, our rules and nothing but planted files. */
export async function plantLayout(home: string, files: Record<string, string>): Promise<void> {
  await cp(join(root, configName), join(home, configName));
  await cp(join(root, "tsconfig.base.json"), join(home, "tsconfig.json"));
  await cp(join(root, ownRules), join(home, ownRules), { recursive: true });
  await symlink(join(root, "node_modules"), join(home, "node_modules"));
  for (const [path, code] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), withoutMarks(code));
  }
}

/** The same layout with every rule switched off, for the control. */
export async function takeWallsDown(home: string): Promise<void> {
  const config: unknown = JSON.parse(await readFile(join(home, configName), "utf8"));
  const off = { categories: { correctness: "off" }, rules: {}, overrides: [], jsPlugins: [] };
  const bare = { ...(config as object), ...off };
  await writeFile(join(home, configName), JSON.stringify(bare));
}

export async function lintLayout(home: string): Promise<Finding[]> {
  const oxlint = join(root, "node_modules/oxlint/bin/oxlint");
  // Only planted files count. There is no .gitignore, so node_modules must be named.
  const ignored = [ownRules, "node_modules"].flatMap((path) => ["--ignore-pattern", path]);
  const output = await run(process.execPath, [oxlint, "--format=json", ...ignored], home);
  const { diagnostics } = JSON.parse(output) as OxlintOutput;
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

function run(program: string, args: string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      // Exit code 1 only says that there are findings.
      if (stdout.startsWith("{")) resolve(stdout);
      else
        reject(new Error(`oxlint gave no findings to read: ${stdout}${stderr}`, { cause: error }));
    });
  });
}
