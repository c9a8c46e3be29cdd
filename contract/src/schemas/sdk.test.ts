import { expect, it } from "vitest";
import { EarlierSvcConfig, SvcConfig } from "./sdk.ts";

const agentId = "agent_a1k7m2q4x5zr3w6t7b2c4d";

it("needs an agent id: a fixed prefix and an opaque part", () => {
  expect(SvcConfig.parse({ agentId })).toEqual({ agentId });
  const wrong = ["", "agent_", "client_a1", "a1k7m2q4", undefined];
  expect(wrong.filter((one) => SvcConfig.safeParse({ agentId: one }).success)).toEqual([]);
});

it("takes a recording notice, which is text", () => {
  expect(SvcConfig.parse({ agentId, recordingNotice: "We keep notes." }).recordingNotice).toBe(
    "We keep notes.",
  );
  expect(SvcConfig.safeParse({ agentId, recordingNotice: 1 }).success).toBe(false);
});

it("leaves the page's own keys out", () => {
  expect(SvcConfig.parse({ agentId, theme: "dark" })).toEqual({ agentId });
});

it("took a client id in its earlier form", () => {
  const clientId = "client_a1k7m2q4x5zr3w6t7b2c4d";
  expect(EarlierSvcConfig.parse({ clientId })).toEqual({ clientId });
  expect(EarlierSvcConfig.safeParse({ agentId }).success).toBe(false);
});
