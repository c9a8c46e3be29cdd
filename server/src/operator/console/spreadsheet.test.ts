import type { FoundSession } from "@svc/contract/types";
import formulas from "@svc/contract/fixtures/formula-texts.json" with { type: "json" };
import { expect, it } from "vitest";
import { spreadsheetOf } from "./spreadsheet.ts";

const SESSION: FoundSession = {
  id: "019cadd4-569c-7d3a-9f52-3c1b6a0e4d01",
  client_id: "c",
  account_name: "Acme",
  agent_id: "a",
  agent_slug: "guide",
  agent_version: 1,
  status: "processed",
  test: false,
  created_at: "2026-03-02T09:15:00.124Z",
  answers: {},
  insights: {},
};

it("has a column for each question and insight that any session has", () => {
  const [titles, first, second] = spreadsheetOf([
    { ...SESSION, answers: { team_size: '"twelve", he said' }, customer_name: "Ada" },
    { ...SESSION, insights: { pain: "Sundays\nand nights" }, duration_secs: 9 },
  ]).split("\r\n");
  expect(titles).toMatch(/^\ufeffstarted,.*,id,question team_size,insight pain$/);
  expect(first).toContain('01,"""twelve"", he said",');
  expect(second).toContain('01,,"Sundays\nand nights"');
});

it("guards what a spreadsheet would take for a formula", () => {
  for (const { text, guarded } of formulas) {
    const sheet = spreadsheetOf([{ ...SESSION, customer_name: text }]);
    expect(sheet.includes(`'${text.replaceAll('"', '""')}`), JSON.stringify(text)).toBe(guarded);
  }
});
