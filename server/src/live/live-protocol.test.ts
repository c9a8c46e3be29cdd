import { readFileSync } from "node:fs";
import { LIVE_CLOSE } from "@svc/contract/live-close-codes";
import { LiveClientMessage, LiveServerMessage } from "@svc/contract/schemas";
import { expect, test } from "vitest";
import { CALL_TIMES } from "./call/call-options.ts";

const page = readFileSync(
  new URL("../../../docs/reference/live-protocol.md", import.meta.url),
  "utf8",
);

const examples = [...page.matchAll(/^```json\n([^]*?)^```$/gm)]
  .flatMap(([, block]) => block!.trim().split("\n"))
  .map((line) => JSON.parse(line) as { type: string; reason?: string });

const CLIENT = [
  "hello",
  "ping",
  "text",
  "card_result",
  "place_result",
  "step",
  "page_actions",
  "action_result",
  "typing",
  "visibility",
  "mute",
  "room",
  "switch",
  "playback",
];
const CLIENT_LAST = ["cleared", "rating", "end"];
const SERVER = [
  "welcome",
  "pong",
  "state",
  "caption",
  "content",
  "page",
  "action",
  "card",
  "warning",
  "ended",
  "recap",
];
const SOUND = [
  "audio_start",
  "audio_flush",
  "audio_clear",
  "audio_pause",
  "audio_resume",
  "audio_room",
  "mode",
];

test("every example of the reference is a message of the protocol", () => {
  for (const example of examples) {
    const isClients = [...CLIENT, ...CLIENT_LAST].includes(example.type);
    const schema = isClients ? LiveClientMessage : LiveServerMessage;
    expect(schema.safeParse(example).error, JSON.stringify(example)).toBeUndefined();
  }
});

test("every message has an example and a place in a table", () => {
  const types = [...CLIENT, ...CLIENT_LAST, ...SERVER, ...SOUND];
  expect(new Set(examples.map(({ type }) => type))).toEqual(new Set(types));
  for (const type of types) expect(page).toMatch(new RegExp(`^\\| .*\`${type}\`.* \\|`, "m"));
});

test("the table of close codes is the list that the server closes by", () => {
  const rows = Object.values(LIVE_CLOSE)
    .toSorted((one, other) => one.code - other.code)
    .map(({ code, name, meaning, cure }) => `| ${code} | \`${name}\` | ${meaning} | ${cure} |`);
  const table = ["| code | name | means | do |", "|---|---|---|---|", ...rows].join("\n");
  expect(page).toContain(`<!-- close-codes:start -->\n${table}\n<!-- close-codes:end -->`);
});

test("what is said of times is so", () => {
  expect(CALL_TIMES).toMatchObject({
    pingMs: 400,
    silentMs: 6_000,
    returnWithinMs: 60_000,
    idleWarningMs: 150_000,
    idleEndMs: 180_000,
    nudgeMs: 8_000,
    nudgedEndMs: 60_000,
    timeWarningMs: 120_000,
    ratingMs: 120_000,
  });
});
