import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openBrowser } from "./browsers/browser.ts";
import { openCustomerSite } from "./product/customer-site.ts";
import { buildSdk, SDK_FILES } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";
import type { Tools } from "./runner/proof.ts";
import { RIGHT, WRONG } from "./types/uses.ts";
import type { Use } from "./types/uses.ts";

/** The oldest that customers may have, the last of its line, and ours. */
const COMPILERS = ["5.0.4", "5.9.3", "7.0.2"];
const KEPT = join(import.meta.dirname, "../.out/compilers");

/** How a program gets at the types. */
const WAYS: Record<string, (code: string) => string> = {
  "by reference": (code) => `/// <reference path="./sdk.d.ts" />\n{ ${code} }\n`,
  "by import": (code) =>
    `import type { SvcSDK, SessionData } from "./sdk";\nexport type Both = [SvcSDK, SessionData];\n{ ${code} }\n`,
};

export default defineProof({
  covers: ["sdk/src/", "sdk/build/"],
  claims: {
    "types-tell-the-truth": {
      promise:
        "sdk.d.ts accepts the documented uses and refuses mistakes with TypeScript 5.0, 5.9 and 7, and says what is there when the page runs",
      bound: "0 uses judged wrongly, 0 members that are not as declared, a planted lie is noticed",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        await buildSdk();
        const types = await readFile(join(SDK_FILES, "sdk.d.ts"), "utf8");
        const members = await membersOnPage(onEnd);
        const right = [...RIGHT, declares("the members of a page", members)];
        const wrong = [
          ...WRONG,
          declares("a member that no page has", { ...members, stopDemo: 0 }),
          declares("a member less", { ...members, startDemo: undefined }),
          declares("another number of parameters", { ...members, startDemo: 3 }),
        ];
        let misjudged = 0;
        for (const compiler of COMPILERS) {
          const found = await judge(compiler, types, right, wrong);
          misjudged += found.length;
          say(
            `TypeScript ${compiler}: ${found.length === 0 ? "right about all" : found.join("; ")}`,
          );
        }
        const lie = types.replace("language?: string", "language?: number");
        const noticed = await judge("5.9.3", lie, right, wrong);
        say(`control: a type that lies about the language is noticed ${noticed.length} times`);
        const count = Object.keys(members).length;
        const tried = COMPILERS.length * Object.keys(WAYS).length * (right.length + wrong.length);
        return {
          figure: `${misjudged} of ${tried} uses judged wrongly, with ${count} members of a page`,
          ok: misjudged === 0 && noticed.length > 0 && count >= 10,
        };
      },
    },
  },
});

/** The members of `Svc` in a browser, with the number of parameters; null for what is no function. */
async function membersOnPage(onEnd: Tools["onEnd"]): Promise<Record<string, number | null>> {
  const script = await readFile(join(SDK_FILES, "sdk.js"), "utf8");
  const site = await openCustomerSite({
    "/": `<!doctype html><title>x</title><script>window.SvcConfig = { agentId: "agent_x" };</script><script>${script}</script>`,
  });
  onEnd(() => site.close());
  const browser = await openBrowser("chromium");
  onEnd(() => browser.close());
  const page = await browser.newPage();
  await page.goto(site.url);
  return page.run(
    "return Object.fromEntries(Object.entries(Svc).map(([name, member]) => [name, typeof member === 'function' ? member.length : null]));",
  );
}

/** A program that is right if `SvcSDK` declares exactly these members. */
function declares(name: string, members: Record<string, number | null | undefined>): Use {
  const code = `const declared: { [K in keyof SvcSDK]: SvcSDK[K] extends (...given: infer P) => unknown ? Required<P>["length"] : null } = ${JSON.stringify(members)}; void declared;`;
  return { name, code };
}

/** What a compiler with these types gets wrong. */
async function judge(
  compiler: string,
  types: string,
  right: Use[],
  wrong: Use[],
): Promise<string[]> {
  const programs = Object.entries(WAYS).flatMap(([way, write]) =>
    [...right, ...wrong].map(({ name, code }) => ({
      name: `${name} ${way}`,
      text: write(code),
      isRight: right.some((use) => use.name === name),
    })),
  );
  const folder = await mkdtemp(join(tmpdir(), "svc-types-"));
  try {
    await writeFile(join(folder, "sdk.d.ts"), types);
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
    for (const [index, { text }] of programs.entries())
      await writeFile(join(folder, `use-${index}.ts`), text);
    const output = await compile(compiler, folder);
    const refused = new Set(
      [...output.matchAll(/^([\w-]+(?:\.d)?\.ts)[(:]/gm)].map(([, file]) => file!),
    );
    return [
      ...(refused.has("sdk.d.ts") ? ["sdk.d.ts itself"] : []),
      ...programs
        .filter(({ isRight }, index) => refused.has(`use-${index}.ts`) === isRight)
        .map(({ name, isRight }) => `${isRight ? "refused" : "accepted"} ${name}`),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

const TSCONFIG = {
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
};

/** What the compiler says. One that finds mistakes ends with a code of its own. */
async function compile(compiler: string, folder: string): Promise<string> {
  const tsc = await compilerAt(compiler);
  const argv = [tsc, "--project", folder, "--pretty", "false"];
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(process.execPath, argv, { cwd: folder }, (_error, out, err) => resolve(out + err));
  return promise;
}

/** Beside the workspace: as a dependency, an old compiler would take the place of ours as `tsc`. */
async function compilerAt(version: string): Promise<string> {
  const home = join(KEPT, version);
  const tsc = join(home, "node_modules/typescript/bin/tsc");
  if (existsSync(tsc)) return tsc;
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "package.json"), '{ "private": true }');
  const argv = ["install", "--no-audit", "--no-fund", `typescript@${version}`];
  await promisify(execFile)("npm", argv, { cwd: home });
  return tsc;
}
