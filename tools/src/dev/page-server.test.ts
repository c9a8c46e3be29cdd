import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { freePort } from "../ports.ts";
import { LiveState } from "./live-state.ts";
import { answerPlayground, startPageServer } from "./page-server.ts";

test.for([
  ["/docs", "/docs/"],
  ["/playground", "/playground/"],
  ["/playground?page=hero", "/playground/?page=hero"],
  ["/docs/playground", "/docs/playground/"],
])("%s leads to %s", async ([path, location]) => {
  const closed = {
    server: 1,
    operations: 1,
    receiver: 1,
    inbox: 1,
    smtp: 1,
    names: 1,
    model: 1,
    speech: 1,
  };
  const root = resolve(import.meta.dirname, "../../..");
  const state = new LiveState(closed);
  state.livekitUrl = "ws://127.0.0.1:2";
  const page = await startPageServer({ root, port: await freePort(), state });
  onTestFinished(() => page.close());
  const answer = await fetch(`${page.url}${path}`, { redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([302, location]);
  const there = await fetch(`${page.url}${path}`);
  expect(there.status).toBe(200);
  expect(there.headers.get("content-security-policy")).toContain(" ws://127.0.0.1:2;");
});

const ROOT = join(import.meta.dirname, "../../..");
const asked: string[] = [];
const standIn = createServer((request, response) => {
  void text(request).then((body) => {
    asked.push(`${request.method} ${request.url} ${body}`);
    response.writeHead(body.includes("nonsense") ? 400 : 200).end('{"faults":[]}');
  });
});
let state: LiveState;

beforeAll(async () => {
  standIn.listen(0, "127.0.0.1");
  await once(standIn, "listening");
  const { port } = standIn.address() as AddressInfo;
  const closed = { server: 1, operations: 1, receiver: 1, inbox: 1, smtp: 1, names: 1 };
  state = new LiveState({ ...closed, model: port, speech: port });
});
afterAll(() => standIn.close());

function ask(path: string, method = "GET", body = ""): ReturnType<typeof answerPlayground> {
  const request = Object.assign(Readable.from([body]), { method }) as unknown as IncomingMessage;
  return answerPlayground(request, path, { root: ROOT, state });
}

test.for([
  ["/playground/", "text/html"],
  ["/playground/playground.js", "text/javascript"],
  ["/playground/pages/hero.js", "text/javascript"],
  ["/playground/playground.css", "text/css"],
  ["/playground/slide.svg", "image/svg+xml"],
])("%s is served as %s", async ([path, type]) => {
  expect(await ask(path!)).toMatchObject({ status: 200, type });
});

test.for([
  "../package.json",
  "../../package.json",
  "..%2fpackage.js",
  ".env.js",
  "none.js",
  "pages/",
])("there is nothing at %s", async (name) => {
  expect(await ask(`/playground/${name}`)).toBeUndefined();
});

test("it says where the service and its stand-ins are", async () => {
  state.seeded = { clientId: "client_a", token: "svc_secret", agentId: "agent_a", sessionId: "1" };
  const { body } = (await ask("/playground/playground.json"))!;
  expect(JSON.parse(body)).toEqual({
    api: "http://127.0.0.1:1",
    agent: "agent_a",
    rehearsal: { model: state.modelUrl, speech: state.speechUrl },
  });
});

test("there are no switches where a stand-in's place is taken", async () => {
  const closed = {
    server: 1,
    operations: 1,
    receiver: 1,
    inbox: 1,
    smtp: 1,
    names: 1,
    model: 1,
    speech: 1,
  };
  const own = new LiveState(closed, { voice: "cartesia" });
  const request = {} as IncomingMessage;
  const at = { root: ROOT, state: own };
  const { body } = (await answerPlayground(request, "/playground/playground.json", at))!;
  expect(JSON.parse(body)).toEqual({ api: "http://127.0.0.1:1" });
});

test("switches reach the stand-in, and its refusal comes back", async () => {
  const setting = '{"delayMs":500,"faults":[]}';
  asked.length = 0;
  expect(await ask("/playground/rehearsal/model", "PUT", setting)).toMatchObject({ status: 200 });
  expect(await ask("/playground/rehearsal/speech")).toMatchObject({ status: 200 });
  expect(asked).toEqual([`PUT /rehearsal/faults ${setting}`, "GET /rehearsal/faults "]);
  expect(await ask("/playground/rehearsal/model", "PUT", "nonsense")).toMatchObject({
    status: 400,
  });
});
