import { expect, it } from "vitest";
import { repository } from "./repository.ts";
import { makeSbom, strangersIn } from "./sbom.ts";
import type { Lock } from "./sbom.ts";

const text = repository.read("package-lock.json")!;
const lock = JSON.parse(text) as Lock;

interface Sbom {
  serialNumber: string;
  components: {
    "bom-ref": string;
    name: string;
    version: string;
    purl: string;
    hashes?: { alg: string; content: string }[];
  }[];
}

it("lists every package that production installs, once, with the hash of the lock", () => {
  const { components, serialNumber } = makeSbom(lock, text) as Sbom;
  const expected = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.includes("node_modules/") && !dev && !link,
  );
  expect(components.map((one) => one["bom-ref"])).toEqual(expected.map(([path]) => path));
  expect(components.length).toBeGreaterThan(100);
  for (const [index, [path, { version, integrity }]] of expected.entries()) {
    const { hashes, ...component } = components[index]!;
    expect(component).toMatchObject({ version });
    expect(path.endsWith(`node_modules/${component.name}`)).toBe(true);
    const [hash] = hashes!;
    const base64 = Buffer.from(hash!.content, "hex").toString("base64");
    expect(`sha512-${base64}`).toBe(integrity);
    expect(hash!.alg).toBe("SHA-512");
  }
  expect(components.map(({ name }) => name)).toContain("fastify");
  expect(components.map(({ name }) => name)).not.toContain("vitest");
  expect(components.find(({ name }) => name === "@livekit/agents")!.purl).toMatch(
    /^pkg:npm\/%40livekit\/agents@/,
  );
  expect(serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

it("finds a package that is not the lock's", () => {
  const fastify = lock.packages["node_modules/fastify"]!;
  expect(strangersIn(lock, lock)).toEqual([]);
  const changed = {
    "node_modules/fastify": { ...fastify, integrity: "sha512-other" },
    "node_modules/stranger": { version: "1.0.0" },
  };
  expect(strangersIn({ packages: changed }, lock)).toEqual(Object.keys(changed));
});
