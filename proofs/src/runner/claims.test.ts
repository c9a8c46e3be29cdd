import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { changedClaims, findClaims, heldByTests, readClaims, ROOT } from "./claims.ts";
import { HEADLINES } from "./results.ts";

const claims = await readClaims();

it("gives every claim a name of its own, former names included", () => {
  const names = claims.flatMap(({ name, claim }) => [name, ...(claim.formerly ?? [])]);
  const all = [...names, ...Object.keys(heldByTests)];
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});

it("covers paths that exist, so that --changed misses nothing after a move", () => {
  for (const { file, covers } of claims) {
    expect(covers, file).not.toEqual([]);
    expect(
      covers.filter((path) => !existsSync(join(ROOT, path))),
      file,
    ).toEqual([]);
  }
  const files = Object.values(heldByTests).flatMap((one) => one.files);
  expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it("covers every module of the server and the SDK", () => {
  const parts = ["contract/src/x", "sdk/src/x", "sdk/playground/x"].concat(
    ["accounts", "agents", "api", "conversation", "engagement", "evaluation", "followup"]
      .concat(["language", "live", "models", "operator", "pipeline", "platform", "rights"])
      .concat(["sessions", "webhooks"])
      .map((module) => `server/src/${module}/x`),
  );
  const covered = claims.flatMap(({ covers }) => covers);
  expect(parts.filter((part) => !covered.some((path) => part.startsWith(path)))).toEqual([]);
});

it("finds a claim by a former name, and names those there are", () => {
  const merged = claims.find(({ claim }) => claim.formerly !== undefined)!;
  expect(findClaims(claims, [merged.claim.formerly![0]!])).toEqual([merged]);
  expect(() => findClaims(claims, ["no-such-claim"])).toThrow(
    /No such claim.*export-loses-nothing/,
  );
});

it("shows only claims in the README", () => {
  expect(HEADLINES.filter((name) => !claims.some((one) => one.name === name))).toEqual([]);
});

it("chooses nothing where nothing changed", async () => {
  const nothing = claims.map((one) => ({ ...one, file: "none.ts", covers: ["nowhere/"] }));
  expect((await changedClaims(nothing, "HEAD")).claims).toEqual([]);
});
