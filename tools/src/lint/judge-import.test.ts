import { expect, it } from "vitest";
import { parts } from "./import-table.ts";
import { judgeImport, judgePlace } from "./judge-import.ts";
import { placeOf } from "./place.ts";

function judge(path: string, specifier: string, more: { typesOnly?: true; names?: string[] } = {}) {
  return judgeImport(placeOf(path), { specifier, typesOnly: false, names: ["x"], ...more });
}

it("names only parts that exist", () => {
  const names = new Set(parts.map((part) => part.name));
  for (const part of parts) {
    const unknown = [...part.may, ...(part.mayAsTypes ?? [])].filter((name) => !names.has(name));
    expect(unknown, part.name).toEqual([]);
  }
  expect(names.size).toBe(parts.length);
});

it("lets a file move inside its own part, however deep", () => {
  expect(judge("server/src/live/media/ws/socket.ts", "../../conversation.ts")).toBeUndefined();
  expect(judge("server/src/live/media/ws/socket.ts", "../../../sessions/store.ts")).toBe(
    'live may not leave its folder by "../../../sessions/store.ts": other parts reach a part through its entry point only, so that its inside can change. Import "#sessions".',
  );
});

it("is not fooled by a folder whose name begins like a part's", () => {
  expect(judge("server/src/sessions/a.ts", "../sessions-old/a.ts")).toContain("leave its folder");
  expect(judgePlace(placeOf("server/src/sessions-old/a.ts"))).toContain("no row");
});

it("takes no file behind an entry point for one", () => {
  expect(judge("server/src/api/routes.ts", "#sessions/store.ts")).toContain('Import "#sessions"');
  expect(judge("proofs/src/a.ts", "@svc/server")).toContain("is not an entry point");
  expect(judge("proofs/src/a.ts", "@svc/contract/fixtures/full.json")).toBeUndefined();
});

it("gives a test the row of the file it stands beside, and what tests are made from", () => {
  expect(judge("server/src/operator/cli.db.test.ts", "./cli.ts")).toBeUndefined();
  expect(judge("server/src/operator/cli.test.ts", "#live")).toBeUndefined();
  expect(judge("server/src/operator/routes.test.ts", "#live")).toContain("may not import live");
  expect(judge("server/src/sessions/store.db.test.ts", "#testing")).toBeUndefined();
  expect(judge("server/src/sessions/verbs.test.ts", "pg")).toBeUndefined();
});

it("wants `import type` where only types are free", () => {
  expect(judge("sdk/src/sdk.ts", "@svc/contract/types")).toContain('Write "import type"');
  expect(judge("sdk/src/sdk.ts", "@svc/contract/types", { typesOnly: true })).toBeUndefined();
  expect(judge("server/src/sessions/verbs.ts", "kysely", { typesOnly: true })).toBeUndefined();
});

it("knows a package by any of its files and a Node module with or without its prefix", () => {
  expect(judge("server/src/api/a.ts", "undici/types/client.js")).toContain('"undici"');
  expect(judge("server/src/agents/a.ts", "@fastify/cors")).toContain('"@fastify/cors"');
  expect(judge("server/src/api/a.ts", "https")).toContain('"node:https"');
  expect(judge("contract/src/schemas/a.ts", "fs/promises")).toContain('"node:fs"');
});

it("lets anyone serve HTTP, and only egress ask", () => {
  expect(judge("server/src/api/a.ts", "node:http", { names: ["createServer"] })).toBeUndefined();
  const both = { names: ["createServer", "request"] };
  expect(judge("server/src/api/a.ts", "node:http", both)).toContain("platform/egress/egress.ts");
  expect(judge("server/src/platform/egress/egress.ts", "node:http", both)).toBeUndefined();
});

it("leaves files outside the layout alone", () => {
  expect(judge("vitest.config.ts", "vitest/config")).toBeUndefined();
  expect(judgePlace(placeOf("vitest.config.ts"))).toBeUndefined();
});
