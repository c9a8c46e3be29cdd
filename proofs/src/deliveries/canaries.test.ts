import { expect, it } from "vitest";
import { findCanaries } from "./canaries.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
const canaries = [{ name: "secret", secret: SECRET }];

it.each([
  ["as it is", `{"secret":"${SECRET}"}`],
  ["without its prefix", `key=${SECRET.slice(6)}&`],
  ["in a dumped column of bytes", `\\x${Buffer.from(SECRET).toString("hex")}`],
  ["as its key, in capitals", key.toString("hex").toUpperCase()],
  ["inside a Basic header", Buffer.from(`${SECRET}:`).toString("base64")],
])("finds a secret %s", (_how, text) => {
  expect(findCanaries([{ where: "a log", text }], canaries)).toHaveLength(1);
});

it("finds nothing where nothing is", () => {
  const text = `whsec_${Buffer.alloc(24, 1).toString("base64")} and k1:${"A".repeat(44)}`;
  expect(findCanaries([{ where: "a log", text }], canaries)).toEqual([]);
});
