import { readdirSync, readFileSync } from "node:fs";
import { SESSION_FIELDS } from "@svc/contract/session-fields";
import type { Session } from "@svc/contract/types";
import { expect, it } from "vitest";
import { writeCsv } from "./dialect.ts";
import { guarded, tableOf } from "./table.ts";

const fixtures = new URL("fixtures/", import.meta.resolve("@svc/contract/openapi.json"));
const fixture = (name: string): string => readFileSync(new URL(name, fixtures), "utf8");

it("writes the golden CSV file to the byte", () => {
  const sessions = readdirSync(new URL("sessions/", fixtures))
    .map((name) => JSON.parse(fixture(`sessions/${name}`)) as Session)
    .toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  expect(writeCsv(tableOf(sessions, SESSION_FIELDS))).toBe(fixture("sessions.csv"));
});

it("puts the apostrophe where the golden texts have it", () => {
  const texts = JSON.parse(fixture("formula-texts.json")) as { text: string; guarded: boolean }[];
  expect(texts.filter(({ text }) => guarded(text) !== text)).toEqual(
    texts.filter((one) => one.guarded),
  );
});
