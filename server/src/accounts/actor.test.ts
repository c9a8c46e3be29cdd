import { expect, it } from "vitest";
import { readActor, writeActor } from "./actor.ts";

it.each([
  ["os:root", { kind: "os", name: "root" }],
  ["named:ada", { kind: "named", name: "ada" }],
  ["console:ada", { kind: "console", name: "ada" }],
  ["named:os:root", { kind: "named", name: "os:root" }],
  ["person", { kind: "unmarked", name: "person" }],
  ["ada", { kind: "unmarked", name: "ada" }],
  ["other:ada", { kind: "unmarked", name: "other:ada" }],
] as const)("%s says who, and how that is known", (text, actor) => {
  expect(readActor(text)).toEqual(actor);
  expect(writeActor(actor)).toBe(text);
});
