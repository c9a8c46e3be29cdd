import { resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../free-port.ts";
import { LiveState } from "./live-state.ts";
import { startPageServer } from "./page-server.ts";

test.for([
  ["/docs", "/docs/"],
  ["/playground", "/playground/"],
  ["/playground?page=hero", "/playground/?page=hero"],
  ["/docs/playground", "/docs/playground/"],
])("%s leads to %s", async ([path, location]) => {
  const closed = { server: 1, operations: 1, receiver: 1, inbox: 1, smtp: 1, model: 1, speech: 1 };
  const root = resolve(import.meta.dirname, "../../..");
  const page = await startPageServer({
    root,
    port: await freePort(),
    state: new LiveState(closed),
  });
  onTestFinished(() => page.close());
  const answer = await fetch(`${page.url}${path}`, { redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([302, location]);
  expect((await fetch(`${page.url}${path}`)).status).toBe(200);
});
