import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openBrowser } from "./browsers/browser.ts";
import { openCustomerSite } from "./product/customer-site.ts";
import { buildSdk, SDK_FILES } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";
import { COMPILERS, refused, WAYS } from "./types/compile.ts";
import { RIGHT, WRONG } from "./types/uses.ts";
import type { Use } from "./types/uses.ts";

export default defineProof({
  covers: [],
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
        let wrong = 0;
        let tried = 0;
        for (const compiler of COMPILERS) {
          const judged = await judge(compiler, types);
          tried += RIGHT.length * 2 + WRONG.length * 2;
          wrong += judged.length;
          say(
            `TypeScript ${compiler}: ${judged.length === 0 ? "right about all" : judged.join("; ")}`,
          );
        }
        const lie = types.replace("language?: string", "language?: number");
        const noticed = await judge("5.9.3", lie);
        say(`control: a type that lies about the language is noticed ${noticed.length} times`);

        const declared = members(types);
        const differ = await compareWithPage(declared, onEnd);
        say(
          `${declared.size} members declared, ${differ.length} differ: ${differ.join(", ") || "none"}`,
        );
        return {
          figure: `${wrong} of ${tried} uses judged wrongly, ${differ.length} of ${declared.size} members differ`,
          ok: wrong === 0 && differ.length === 0 && noticed.length > 0 && declared.size >= 10,
        };
      },
    },
  },
});

/** What a compiler with these types gets wrong. */
async function judge(compiler: string, types: string): Promise<string[]> {
  const programs = new Map<string, Use & { way: string; isRight: boolean }>();
  for (const way of Object.keys(WAYS)) {
    for (const [uses, isRight] of [
      [RIGHT, true],
      [WRONG, false],
    ] as const) {
      for (const use of uses) programs.set(`use-${programs.size}.ts`, { ...use, way, isRight });
    }
  }
  const complaints = await refused(compiler, types, programs);
  const wrong = [...programs].filter(([file, { isRight }]) => complaints.has(file) === isRight);
  return [
    ...(complaints.has("sdk.d.ts") ? ["sdk.d.ts itself"] : []),
    ...wrong.map(
      ([, { name, way, isRight }]) => `${isRight ? "refused" : "accepted"} ${name} ${way}`,
    ),
  ];
}

/** The members of `SvcSDK` with the number of parameters that must be there; undefined for what is no function. */
function members(types: string): Map<string, number | undefined> {
  const body = /interface SvcSDK \{(.*?)^ {2}\}/ms.exec(types)?.[1] ?? "";
  const plain = body.replaceAll(/\/\*\*.*?\*\//gs, "");
  const methods = [...plain.matchAll(/^ {4}(\w+)(?:<[^>]*>)?\(((?:[^()]|\([^()]*\))*)\)/gm)].map(
    ([, name, parameters]) =>
      [
        name!,
        parameters!.trim() === ""
          ? 0
          : parameters!
              .trim()
              .split(/,(?![^<(]*[>)])\s*\n?/)
              .filter((one) => one.trim() !== "").length,
      ] as const,
  );
  const values = [...plain.matchAll(/readonly (\w+):/g)].map(
    ([, name]) => [name!, undefined] as const,
  );
  return new Map([...methods, ...values]);
}

async function compareWithPage(
  declared: Map<string, number | undefined>,
  onEnd: (clean: () => unknown) => void,
): Promise<string[]> {
  const script = await readFile(join(SDK_FILES, "sdk.js"), "utf8");
  const site = await openCustomerSite({
    "/": `<!doctype html><title>x</title><script>window.SvcConfig = { agentId: "agent_x" };</script><script>${script}</script>`,
  });
  onEnd(() => site.close());
  const browser = await openBrowser("chromium");
  onEnd(() => browser.close());
  const page = await browser.newPage();
  await page.goto(site.url);
  const there = new Map(
    await page.run<[string, number | null][]>(
      "return Object.entries(Svc).map(([name, member]) => [name, typeof member === 'function' ? member.length : null]);",
    ),
  );
  return [
    ...[...declared]
      .filter(([name, arity]) => there.get(name) !== (arity ?? null))
      .map(([name, arity]) => `${name} (${there.get(name)}, declared ${arity})`),
    ...[...there.keys()].filter((name) => !declared.has(name)),
  ];
}
