import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** As npm's lock file has it. Only Node's own modules are imported here: the image's build runs this file alone. */
export interface LockedPackage {
  name?: string;
  version?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
}

export interface Lock {
  packages: Record<string, LockedPackage>;
}

/**
 * What production installs, as CycloneDX 1.6: every package of the lock but those for development, with
 * the hash that npm verifies. Without a date, so that one commit makes one text.
 */
export function makeSbom(lock: Lock, lockText: string): object {
  const { version } = lock.packages["server"]!;
  const components = installed(lock).map(([path, { integrity, license, ...one }]) => {
    const name = one.name ?? nameOf(path);
    return {
      type: "library",
      // One version may be installed in several places.
      "bom-ref": path,
      name,
      version: one.version,
      purl: `pkg:npm/${name.replace("@", "%40")}@${one.version}`,
      ...(license !== undefined && { licenses: [{ expression: license }] }),
      ...(integrity !== undefined && { hashes: [hashOf(integrity)] }),
    };
  });
  const digest = createHash("sha256").update(lockText).digest("hex");
  const parts = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest)!;
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    // A UUID of version 8: of the lock's own hash.
    serialNumber: `urn:uuid:${parts[1]}-${parts[2]}-8${parts[3]}-8${parts[4]}-${parts[5]}`,
    version: 1,
    metadata: { component: { type: "application", "bom-ref": "svc", name: "svc", version } },
    components,
  };
}

/** Packages whose installed version or hash is not the lock's, and those that the lock does not know. */
export function strangersIn(found: Lock, lock: Lock): string[] {
  return Object.entries(found.packages)
    .filter(([path, one]) => {
      const known = lock.packages[path];
      const isAlike = known?.version === one.version && known?.integrity === one.integrity;
      return one.link !== true && path.includes("node_modules/") && !isAlike;
    })
    .map(([path]) => path);
}

function installed({ packages }: Lock): [string, LockedPackage][] {
  return Object.entries(packages).filter(
    ([path, { dev, link }]) => path.includes("node_modules/") && dev !== true && link !== true,
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** `sha512-<Base64>`, as CycloneDX writes it. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [algorithm, content] = integrity.split(" ", 1)[0]!.split("-", 2) as [string, string];
  return {
    alg: algorithm.toUpperCase().replace("SHA", "SHA-"),
    content: Buffer.from(content, "base64").toString("hex"),
  };
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "../..");
  const text = readFileSync(join(root, "package-lock.json"), "utf8");
  const lock = JSON.parse(text) as Lock;
  const found = readFileSync(join(root, "node_modules/.package-lock.json"), "utf8");
  const strangers = strangersIn(JSON.parse(found) as Lock, lock);
  if (strangers.length > 0) throw new Error(`Not what the lock says: ${strangers.join(", ")}`);
  process.stdout.write(`${JSON.stringify(makeSbom(lock, text), null, 1)}\n`);
}
