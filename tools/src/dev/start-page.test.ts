import { resolve } from "node:path";
import { expect, test } from "vitest";
import { docsSite } from "../docs-site/site.ts";
import { renderStartPage } from "./start-page.ts";
import type { Facts, Part } from "./start-page.ts";

const ready: Part = { state: "ready", word: "ready", detail: "" };
const facts: Facts = {
  ready: true,
  parts: { database: ready, model: ready, server: ready, sessions: { ...ready, word: "300" } },
  serverUrl: "http://127.0.0.1:8080",
  operationsUrl: "http://127.0.0.1:9464",
  modelUrl: "http://127.0.0.1:8090",
  receiverUrl: "http://127.0.0.1:8091",
  inboxUrl: "http://127.0.0.1:8025",
  ownModel: undefined,
  seeded: { clientId: "client_a", token: "svc_secret", agentId: "agent_a", sessionId: "01-02" },
};

test("the page has command lines that work as they stand", async () => {
  const page = await renderStartPage(facts);
  expect(page).toContain("Authorization: Bearer svc_secret");
  expect(page).toContain("-u client_a:svc_secret");
  expect(page).toContain('href="http://127.0.0.1:8080/v1/sessions.csv"');
  expect(page).toContain("npx svc sessions show 01-02");
  expect(page).toContain("npx svc evaluate 01-02");
  expect(page).toContain('clientId: "client_a"');
  expect(page).toContain("http://127.0.0.1:8080/sdk/v0/sdk.js");
  expect(page).toContain('href="http://127.0.0.1:8090"');
  expect(page).toContain('href="http://127.0.0.1:8091"');
  expect(page).toContain('href="http://127.0.0.1:8025"');
});

test("it says whose language model answers", async () => {
  expect(await renderStartPage(facts)).toContain("stand-in answers for the language model");
  const page = await renderStartPage({ ...facts, ownModel: "models.example.com" });
  expect(page).toContain("your language model at models.example.com");
  expect(page).not.toContain("stand-in answers for the language model");
  expect(page).not.toContain('href="http://127.0.0.1:8090"');
});

test("while things start there is nothing to try, and no token to see", async () => {
  const page = await renderStartPage({ ...facts, ready: false });
  expect(page).toContain("Svc is starting");
  expect(page).not.toContain("svc_secret");
});

test("the page is whole by itself, but for the SDK that it shows", async () => {
  const page = await renderStartPage(facts);
  expect(page).not.toMatch(/\{\{\w+\}\}/);
  const sdk = '<script async id="svc-sdk" src="http://127.0.0.1:8080/sdk/sdk.js"></script>';
  expect(page).toContain(sdk);
  expect(page.replace(sdk, "")).not.toMatch(
    /<(?:script|img|iframe)[^>]+src=|<link[^>]+stylesheet|@import|url\(/,
  );
});

test("it links only to documents that are there", async () => {
  const links = [...(await renderStartPage(facts)).matchAll(/href="\/docs\/([^"]+)"/g)];
  const paths = docsSite(resolve(import.meta.dirname, "../../..")).paths();
  expect(links.length).toBeGreaterThan(5);
  expect(links.map(([, path]) => path).filter((path) => !paths.includes(path!))).toEqual([]);
});
