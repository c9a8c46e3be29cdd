import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Use } from "./uses.ts";

/** The oldest that customers may have, the last of its line, and ours. */
export const COMPILERS: readonly string[] = ["5.0.4", "5.9.3", "7.0.2"];
const KEPT = join(import.meta.dirname, "../../.out/compilers");

/** How a program gets at the types. */
export const WAYS: Record<string, (code: string) => string> = {
  "by reference": (code) => `/// <reference path="./sdk.d.ts" />\n{ ${code} }\n`,
  "by import": (code) =>
    `import type { SvcSDK, SessionData } from "./sdk";\nexport type Both = [SvcSDK, SessionData];\n{ ${code} }\n`,
};

/** The names of the files that the compiler complains about. */
export async function refused(
  compiler: string,
  types: string,
  programs: Map<string, Use & { way: string }>,
): Promise<Set<string>> {
  const folder = await mkdtemp(join(tmpdir(), "svc-types-"));
  try {
    await writeFile(join(folder, "sdk.d.ts"), types);
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          target: "es2020",
          module: "esnext",
          moduleResolution: "bundler",
          lib: ["es2020", "dom"],
          types: [],
        },
        include: ["*.ts"],
      }),
    );
    for (const [file, { way, code }] of programs)
      await writeFile(join(folder, file), WAYS[way]!(code));
    const output = await run(compiler, folder);
    return new Set([...output.matchAll(/^([\w-]+(?:\.d)?\.ts)[(:]/gm)].map(([, file]) => file!));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Beside the workspace: as a dependency an old compiler would take the place of ours as `tsc`. */
async function compilerAt(version: string): Promise<string> {
  const home = join(KEPT, version);
  const tsc = join(home, "node_modules/typescript/bin/tsc");
  if (existsSync(tsc)) return tsc;
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "package.json"), '{ "private": true }');
  await promisify(execFile)(
    "npm",
    ["install", "--no-audit", "--no-fund", `typescript@${version}`],
    {
      cwd: home,
    },
  );
  return tsc;
}

/** What it says; a compiler that finds mistakes ends with a code of its own. */
async function run(compiler: string, folder: string): Promise<string> {
  const tsc = await compilerAt(compiler);
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [tsc, "--project", folder, "--pretty", "false"],
      { cwd: folder },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
  });
}
