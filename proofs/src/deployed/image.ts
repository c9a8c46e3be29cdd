import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { createReadStream, lstatSync, readFileSync, readdirSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { ROOT } from "../runner/claims.ts";
import type { Image } from "./container.ts";

const run = promisify(execFile);
const BUILDER = join(ROOT, ".ci/image");

/**
 * Builds the image from this checkout and unpacks it.
 *
 * @param options.again builds it even if it is there as this commit has it.
 * @param options.target of the build, as `.ci/image` takes it.
 */
export async function buildImage(
  name: string,
  onEnd: (clean: () => unknown) => void,
  { again = false, target = "svc" }: { again?: boolean; target?: string } = {},
): Promise<Image> {
  const images = await buildah("images", "--format", "{{.Name}}:{{.Tag}}");
  if (!images.includes("localhost/svc-base:node")) {
    throw new Error("There is no base to build the image on. Run `.ci/image base` as root.");
  }
  const isThere = images.split("\n").includes(`localhost/${name}`);
  if (again || !isThere || !(await isOfThisCommit(name))) {
    await run(BUILDER, ["build", name, target], { maxBuffer: 2 ** 26 });
  }
  return unpack(name, onEnd);
}

async function isOfThisCommit(name: string): Promise<boolean> {
  const { stdout: head } = await run("git", ["rev-parse", "HEAD"], { cwd: ROOT });
  const { stdout: changes } = await run("git", ["status", "--porcelain"], { cwd: ROOT });
  const { Env } = await configOf(name);
  return changes === "" && Env.includes(`SVC_COMMIT=${head.trim()}`);
}

/** Unpacks an image that was built. */
async function unpack(name: string, onEnd: (clean: () => unknown) => void): Promise<Image> {
  const container = await buildah("from", "--pull-never", `localhost/${name}`);
  onEnd(() => buildah("rm", container));
  const root = await buildah("mount", container);
  return { root, config: await configOf(name) };
}

async function configOf(name: string): Promise<Image["config"]> {
  const about = await buildah("inspect", "--type", "image", `localhost/${name}`);
  const { Docker } = JSON.parse(about) as { Docker: { config: Image["config"] } };
  return Docker.config;
}

async function buildah(...words: string[]): Promise<string> {
  const { stdout } = await run(BUILDER, ["buildah", ...words], { maxBuffer: 2 ** 26 });
  return stdout.trim();
}

/** The disk that the image's files take. */
export async function megabytesOf({ root }: Image): Promise<number> {
  const { stdout } = await run("du", ["-sm", root]);
  return Number.parseInt(stdout, 10);
}

/** Every path in the image with what it is: rights, owner, date and content. */
export async function filesOf({ root }: Image): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  // Not `recursive`, which follows links out of the image: /dev/fd leads to this process.
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      const { mode, uid, gid, mtimeMs } = lstatSync(path);
      const about = [mode, uid, gid, Math.floor(mtimeMs / 1_000), await contentOf(path, entry)];
      files.set(relative(root, path), about.join(" "));
    }
  }
  return files;
}

async function contentOf(path: string, entry: Dirent): Promise<string> {
  if (entry.isFile()) return hashOf(path);
  return entry.isSymbolicLink() ? readlinkSync(path) : "";
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** The paths that only one of them has, or that differ. */
export function differences(one: Map<string, string>, other: Map<string, string>): string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => one.get(path) !== other.get(path)).toSorted();
}

/** Whether the process has only the image's files as its root, read-only, and whose it is. */
export function rightsOf(pid: number): { isReadOnly: boolean; user: string } {
  const mounts = readFileSync(`/proc/${pid}/mountinfo`, "utf8").split("\n");
  const root = mounts.find((line) => line.split(" ")[4] === "/");
  const [, user = ""] = /^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return { isReadOnly: /^ro\b/.test(root?.split(" ")[5] ?? ""), user };
}
