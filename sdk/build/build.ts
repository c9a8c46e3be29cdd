import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Words } from "@svc/contract/types";
import { rolldown } from "rolldown";
import { writeBuild } from "./write-build.ts";
import type { BuiltFile } from "./write-build.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const SDK_OUTPUT: string = fileURLToPath(new URL("../dist/", import.meta.url));

/** The chunks that the call loads when it needs them. */
const CALL_CHUNKS: Record<string, string> = {
  content: "src/content/index.ts",
  "microphone-help": "src/microphone-help/index.ts",
  "cards-and-endings": "src/cards-and-endings/index.ts",
  preview: "src/preview/index.ts",
  resume: "src/resume/resume-call.ts",
  sources: "src/sources/index.ts",
};

const WORDS = new URL("../../contract/words/", import.meta.url);

/** The texts of the built-in languages. */
async function readWords(): Promise<Words[]> {
  const files = (await readdir(WORDS)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, WORDS), "utf8")));
  return texts.map((text) => JSON.parse(text) as Words);
}

/** One section in every language, for a script that runs before the language of a call is known. */
function inEveryLanguage(all: Words[], section: "page" | "form"): string {
  return JSON.stringify(Object.fromEntries(all.map((words) => [words.language, words[section]])));
}

/**
 * Builds `dist/`: sdk.js, its types, and the chunks, whose names contain their hash. Every file is also
 * written compressed.
 */
export async function buildSdk(): Promise<BuiltFile[]> {
  const files = await bundleSdk();
  // By its version too: where builds are written or copied over each other, pages that pin it still find it.
  const kept = [`sdk-${await readVersion()}.js`, files.get("sdk.js")!] as const;
  return writeBuild(SDK_OUTPUT, new Map([kept, ...files]));
}

async function readVersion(): Promise<string> {
  const text = await readFile(`${ROOT}package.json`, "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** The content of every file, in the order that `writeBuild` needs. */
export async function bundleSdk(): Promise<Map<string, string>> {
  const version = await readVersion();
  const files = new Map<string, string>();
  async function add(
    name: string,
    source: string,
    define: Record<string, string>,
  ): Promise<string> {
    return addCode(name, await bundle(source, "esm", define));
  }
  function addCode(name: string, code: string): string {
    const hash = createHash("sha256").update(code).digest("hex").slice(0, 6);
    files.set(`${name}.${hash}.js`, code);
    return hash;
  }
  // Built in the order of their hashes: sound names the worklets, the endings the challenge and LiveKit's client, the stage the places, the avatar its faces, the call its chunks, sdk.js the rest.
  const worklets = await add("worklets", "src/worklets/index.ts", {});
  const sound = await add("sound", "src/sound/index.ts", { WORKLETS_HASH: `"${worklets}"` });
  const hashes: Record<string, string> = { worklets, sound };
  const challenge = await add("challenge", "src/challenge/solve-challenge.ts", {});
  const gate = await add("gate", "src/livekit/gate-worklet.ts", {});
  const livekit = await add("livekit", "src/livekit/rooms-for.ts", { GATE_HASH: `"${gate}"` });
  const named = { CHALLENGE_HASH: `"${challenge}"`, LIVEKIT_HASH: `"${livekit}"` };
  for (const [name, source] of Object.entries(CALL_CHUNKS)) {
    hashes[name] = await add(name, source, named);
  }
  const places = await add("places", "src/places/index.ts", {});
  hashes["stage"] = await add("stage", "src/stage/index.ts", { PLACES_HASH: `"${places}"` });
  const words = await readWords();
  for (const { language, call, cards, microphone, content, preview } of words) {
    const later = { cards, microphone, content, preview };
    const name = `words-${language}`;
    const hash = addCode(name, `export const words=${JSON.stringify(later)};\n`);
    // The strings load the words, so that the call need not know a second name for each language.
    hashes[`strings-${language}`] = addCode(
      `strings-${language}`,
      `export const strings=${JSON.stringify(call)},later=async()=>(await import("./${name}.${hash}.js")).words;\n`,
    );
  }
  const call = await add("call", "src/call/index.ts", { CALL_HASHES: JSON.stringify(hashes) });
  const faces: Record<string, string> = { orb: await add("face-orb", "src/avatar/orb.ts", {}) };
  for (const [name, persona] of Object.entries(await drawPersonas())) {
    faces[name] = addCode(`face-${name}`, `export const persona=${JSON.stringify(persona)};\n`);
  }
  const avatar = await add("avatar", "src/avatar/index.ts", { FACE_HASHES: JSON.stringify(faces) });
  const preflight = await add("preflight", "src/preflight/preflight.ts", {});
  const form = await add("form", "src/form/check-form.ts", {
    FORM_WORDS: inEveryLanguage(words, "form"),
  });
  const define = {
    CHUNK_HASHES: JSON.stringify({ call, avatar, form, preflight }),
    PAGE_WORDS: inEveryLanguage(words, "page"),
    VERSION: JSON.stringify(version),
  };
  files.set("sdk.d.ts", await readFile(`${ROOT}src/published/sdk.d.ts`, "utf8"));
  files.set("sdk.js", await bundle("src/sdk.ts", "iife", define));
  return files;
}

/** Runs what composes each persona from what all have in common: a visitor loads one of the results. */
async function drawPersonas(): Promise<Record<string, string>> {
  const code = await bundle("src/avatar/personas.ts", "esm", {});
  const { PERSONAS } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    PERSONAS: Record<string, string>;
  };
  return PERSONAS;
}

async function bundle(
  source: string,
  format: "esm" | "iife",
  define: Record<string, string>,
): Promise<string> {
  const build = await rolldown({
    input: `${ROOT}${source}`,
    transform: { define, target: "es2022" },
    // A chunk that another one names by its hash is a file beside it.
    external: /^\.\/livekit\.\w+\.js$/,
    plugins: [
      { name: "tight-style", transform: { filter: { id: /-style\.ts$/ }, handler: tightStyle } },
    ],
    logLevel: "warn",
  });
  const { output } = await build.generate({ format, minify: true });
  await build.close();
  const [{ code }, ...more] = output;
  if (more.length > 0) throw new Error(`${source} was split: each chunk is one file`);
  // Between two words a space stays.
  return code
    .replaceAll(/(?<=\w)\s*\/\* @\S+ \*\/\s*(?=\w)/g, " ")
    .replaceAll(/\s*\/\* @\S+ \*\/\s*/g, "");
}

/** Removes line breaks and indents, which browsers do not need. */
function tightStyle(code: string): string {
  return code.replaceAll(/`([^`]*)`;\n/g, (_, css: string) => {
    const tight = css
      .replaceAll(/\s+/g, " ")
      .replaceAll(/ ?([{};,]) ?/g, "$1")
      .replaceAll(/: /g, ":")
      .replaceAll(";}", "}");
    return `\`${tight.trim()}\`;\n`;
  });
}

if (import.meta.main) {
  for (const { name, bytes, brotli } of await buildSdk()) {
    process.stdout.write(
      `${name.padEnd(28)} ${String(bytes).padStart(7)} ${String(brotli).padStart(6)} br\n`,
    );
  }
}
