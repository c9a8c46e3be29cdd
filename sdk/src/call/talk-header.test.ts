import en from "@svc/contract/words/en.json" with { type: "json" };
import { expect, test } from "vitest";
import { stateLabel } from "./talk-header.ts";
import type { CallState } from "./talk-header.ts";

const TEXT = { state: "off", isMuted: false } as const;
const VOICE = { state: "open", isMuted: false } as const;
const MUTED = { state: "open", isMuted: true } as const;

test.each<[label: string, state: CallState]>([
  ["Linden is joining", { link: "new", agent: "listening", voice: VOICE, joining: "Linden" }],
  ["Linden is joining", { link: "there", agent: "listening", voice: TEXT, joining: "Linden" }],
  [
    "Please allow",
    { link: "new", agent: "listening", voice: { ...VOICE, state: "asking" }, joining: "Linden" },
  ],
  ["Reconnecting", { link: "lost", agent: "speaking", voice: VOICE }],
  ["Your turn", { link: "there", agent: "listening", voice: TEXT }],
  ["Answering", { link: "there", agent: "speaking", voice: TEXT }],
  ["Connecting", { link: "there", agent: "thinking", voice: { ...VOICE, state: "opening" } }],
  ["Please allow", { link: "there", agent: "thinking", voice: { ...VOICE, state: "asking" } }],
  ["Listening", { link: "there", agent: "listening", voice: VOICE }],
  ["Thinking", { link: "there", agent: "thinking", voice: VOICE }],
  ["Talk to interrupt", { link: "there", agent: "speaking", voice: VOICE }],
  ["Microphone off", { link: "there", agent: "listening", voice: MUTED }],
  ["Answering", { link: "there", agent: "speaking", voice: MUTED }],
])("the visitor reads “%s”", (label, state) => {
  expect(stateLabel(en.call, state)).toContain(label);
});
