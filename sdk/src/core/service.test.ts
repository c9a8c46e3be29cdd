import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createService } from "./service.ts";

const sent: [string, string][] = [];

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal("location", { pathname: "/pricing" });
  vi.stubGlobal("navigator", {
    sendBeacon: (address: string, body: string) => sent.push([address, body]) > 0,
  });
});
afterEach(() => vi.unstubAllGlobals());

const service = createService("https://api.example.com", "agent_a");

test("an event says where it was, in which language and what opened the demo, and no more", () => {
  service.count("opened", "widget", "de");
  service.count("button_viewed", "modal");
  const common = { agent_id: "agent_a", path: "/pricing" };
  expect(sent.map(([address, body]) => [address, JSON.parse(body)])).toEqual([
    [
      "https://api.example.com/sdk/v1/events",
      { ...common, event: "opened", language: "de", entry: "widget" },
    ],
    [
      "https://api.example.com/sdk/v1/events",
      { ...common, event: "button_viewed", entry: "modal" },
    ],
  ]);
});

test("a long path does not make an event too large to be read", () => {
  vi.stubGlobal("location", { pathname: `/${"a".repeat(2_000)}` });
  service.count("opened", "hero", "de");
  expect(sent[0]![1].length).toBeLessThan(1_024);
  // Longer than the server keeps, so that it cannot take the beginning for the whole.
  expect((JSON.parse(sent[0]![1]) as { path: string }).path).toHaveLength(201);
});
