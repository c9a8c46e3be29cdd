import { beforeAll, expect, it } from "vitest";
import { lintPlanted, plant } from "./planted-tree.ts";
import type { PlantedTree, Boundary } from "./planted-tree.ts";

const imports = "svc(imports)";

/** The boundaries that the import table does not cover row by row, each with the violations that are common in practice. */
const boundaries: Boundary[] = [
  {
    name: "a module is reached through its entry point",
    rule: imports,
    says: 'through its entry point only, so that its inside can change. Import "#sessions".',
    files: {
      "server/src/api/entry-point.ts": `
export { a } from "#sessions";
export { b } from "./routes.ts";
export { c } from "../sessions/index.ts"; //!
export { d } from "../sessions/store.ts"; //!
export { e } from "#sessions/store.ts"; //! is not an entry point of any part
export const f = (): Promise<unknown> => import("../sessions/store.ts"); //!`,
      "server/src/live/media/ws/entry-point.ts": `
export { a } from "../../conversation.ts";
export { b } from "../../../sessions/store.ts"; //!`,
      "server/src/main.ts": `
export { a } from "#sessions";
export { b } from "./sessions/index.ts"; //!`,
      "proofs/src/entry-point.ts": `
export { a } from "@svc/server/testing";
export { b } from "@svc/server"; //! is not an entry point of any part
export { c } from "../../server/src/sessions/index.ts"; //!`,
    },
  },
  {
    name: "config.ts is for composition roots only",
    rule: imports,
    says: "sessions may not import config.ts",
    files: {
      "server/src/main.ts": 'export { config } from "./config.ts";',
      "server/src/operator/cli.ts": 'export { config } from "../config.ts";',
      "server/src/testing/config.ts": 'export { config } from "../config.ts";',
      "server/src/sessions/config.ts": 'export type { Config } from "../config.ts"; //!',
    },
  },
  {
    name: "config/ is reached through config.ts only",
    rule: imports,
    says: "config.ts is the only entry point of the configuration",
    files: {
      "server/src/config.ts": 'export { a } from "./config/a.ts";',
      "server/src/config/b.ts": 'export { a } from "./a.ts";',
      "server/src/main.ts": 'export { a } from "./config/a.ts"; //!',
    },
  },
  {
    name: "testing is for tests",
    rule: imports,
    says: "sessions may not import testing: factories and fakes are for *.test.ts files and proofs",
    files: {
      "server/src/sessions/verbs.ts": 'export { fake } from "#testing"; //!',
      "server/src/sessions/verbs.test.ts": 'export { fake } from "#testing";',
      "server/src/sessions/store.db.test.ts": `
export { fake } from "#testing";
export { databaseTest } from "#testing/database-test";`,
    },
  },
  {
    name: "every folder has a row",
    rule: imports,
    says: "has no row in the import table",
    files: {
      "server/src/attic/old.ts": "export const old = 1; //!",
      "warehouse/src/main.ts": "export const main = 1; //!",
      "warehouse/vite.config.ts": "export const free = 1;",
    },
  },
  {
    name: "contract: zod in schemas/ only, and no Node",
    rule: imports,
    says: "may not import",
    files: {
      "contract/src/types/session.ts": 'export { z } from "zod"; //!',
      "contract/src/openapi.ts": 'export { z } from "zod"; //!',
      "contract/src/schemas/session.ts": `
export { z } from "zod";
export { readFile } from "node:fs/promises"; //!`,
      "contract/src/schemas/session.test.ts": 'export { readFile } from "node:fs/promises";',
    },
  },
  {
    name: "sdk and client have no dependencies",
    rule: imports,
    says: "has no dependencies",
    files: {
      "sdk/src/widget.ts": `
export { h } from "preact"; //!
export { Room } from "livekit-client"; //! only the SDK's livekit chunk may contain it
export const call = (): Promise<unknown> => import("./livekit/join-room.ts");`,
      "sdk/src/livekit/join-room.ts": 'export { Room } from "livekit-client";',
      "client/src/verify.ts": `
export { createHmac } from "node:crypto"; //!
export { Webhook } from "svix"; //!`,
      "client/src/verify.test.ts": 'export { createHmac } from "node:crypto";',
      "console/src/app.ts": 'export { useState } from "react";',
    },
  },
  {
    name: "the environment is read in config.ts only",
    rule: "eslint(no-restricted-properties)",
    says: "Only server/src/config.ts reads the environment",
    files: {
      "server/src/config.ts": "export const url = process.env.DATABASE_URL;",
      "server/src/config/env.ts": "export const a = process.env.A; //!",
      "server/src/sessions/env.ts": `
export const cwd = process.cwd();
export const a = process.env.A; //!
export const b = process["env"]["B"]; //!
export const { env } = process; //!
export const c = globalThis.process; //! hides a reading of the environment`,
      "server/src/testing/env.ts": "export const version = process.env.POSTGRES;",
      "server/src/api/env.test.ts": "export const a = process.env.A; //!",
      "sdk/src/env.ts": "export const a = process.env.A; //!",
      "server/vite.config.ts": "export const ci = process.env.CI;",
      "tools/src/env.ts": "export const ci = process.env.CI;",
      "proofs/src/env.ts": "export const ci = process.env.CI;",
    },
  },
  {
    name: "the environment is imported nowhere",
    rule: "eslint(no-restricted-imports)",
    says: "Only server/src/config.ts reads the environment",
    files: {
      "server/src/sessions/process.ts": `
export { argv } from "node:process";
import { env } from "node:process"; //!
export const a = env.A;`,
      "tools/src/process.ts": 'export { env } from "node:process";',
    },
  },
  {
    name: "SQL belongs in stores",
    rule: "svc(sql)",
    says: "SQL belongs only in a module's store.ts or *-store.ts",
    files: {
      "server/src/sessions/sql.ts": `
import type { Kysely } from "kysely";
import { sql } from "./store.ts";
export type Db = Kysely<{ sessions: { id: string } }>;
export const hint = "Select one from the list";
export const a = (db: Db): unknown => db.selectFrom("sessions"); //!
export const b = sql\`now()\`; //!
export const c = "select id from sessions"; //!
export const d = (id: string): string => \`DELETE FROM sessions WHERE id = \${id}\`; //!`,
      "server/src/api/sql.ts": 'export const ping = "select 1 from sessions"; //!',
      "server/src/api/store.ts": 'export const ping = "select 1 from sessions"; //!',
      "server/src/sessions/store.ts": `
export { sql } from "kysely";
export const a = "select id from sessions";`,
      "server/src/sessions/export-store.ts": 'export const a = "copy (select 1) to stdout";',
      "server/src/sessions/sql.db.test.ts": 'export const a = "select id from sessions";',
      "server/src/platform/sql.ts": 'export const a = "select id from sessions";',
      "server/src/testing/sql.ts": 'export const a = "select id from sessions";',
      "proofs/src/sql.ts": 'export const a = "select id from sessions";',
    },
  },
  {
    name: "database packages belong in stores",
    rule: imports,
    says: "SQL belongs in a module's store.ts or *-store.ts",
    files: {
      "server/src/sessions/database.ts": `
export type { Transaction } from "kysely";
export { Kysely } from "kysely"; //!
export { to } from "pg-copy-streams"; //!`,
      "server/src/api/database.ts": 'export { Pool } from "pg"; //!',
      "server/src/platform/database.ts": 'export { Pool } from "pg";',
      "server/src/agents/store.ts": 'export { to } from "pg-copy-streams";',
      "proofs/src/database.ts": 'export { Pool } from "pg";',
    },
  },
  {
    name: "outgoing HTTP goes through egress.ts: globals",
    rule: "eslint(no-restricted-globals)",
    says: "Send it through platform/egress/egress.ts",
    files: {
      "server/src/webhooks/send.ts": `
export const a = fetch("https://example.org/a"); //!
export const b = globalThis.fetch("https://example.org/b"); //!
export const c = new WebSocket("wss://example.org/c"); //!
export const d = (fetch: (url: string) => unknown): unknown => fetch("given");`,
      "server/src/platform/egress/dns.ts": 'export const a = fetch("https://example.org/a"); //!',
      "server/src/platform/egress/egress.ts": 'export const a = fetch("https://example.org/a");',
      "server/src/api/send.test.ts": 'export const a = fetch("http://127.0.0.1:1/a");',
      "proofs/src/send.ts": 'export const a = fetch("http://127.0.0.1:1/a");',
    },
  },
  {
    name: "outgoing HTTP goes through egress.ts: packages",
    rule: imports,
    says: "Send it through platform/egress/egress.ts",
    files: {
      "server/src/webhooks/packages.ts": `
export { request as a } from "undici"; //!
export { default as b } from "axios"; //!
export const c = (): Promise<unknown> => import("got"); //!
export { request as d } from "node:https"; //!
export { connect as e } from "node:http2"; //!
export type { IncomingMessage } from "node:http";
export { createServer } from "node:http";`,
      "server/src/live/packages.ts": 'export * as http from "node:http"; //!',
      "server/src/platform/egress/egress.ts": `
export { request as b } from "undici";
export { request as c } from "node:https";`,
      "rehearsal/src/packages.ts": 'export { request } from "undici";',
    },
  },
  {
    name: "engines live in one place",
    rule: imports,
    says: "may not be imported here",
    files: {
      "server/src/sessions/engines.ts": `
export { fastify } from "fastify"; //! only adapters serve HTTP
export type { FastifyRequest } from "fastify"; //! only adapters serve HTTP
export { PgBoss } from "pg-boss"; //! through the platform's queue
export { default as OpenAI } from "openai"; //! one function of #models`,
      "server/src/api/engines.ts": `
export { fastify } from "fastify";
export { default as cors } from "@fastify/cors";
export { WebSocketServer } from "ws"; //! only the adapter live and the speech providers use WebSockets
export { voice } from "@livekit/agents"; //! only conversations need it`,
      "server/src/operator/engines.ts": 'export { fastify } from "fastify";',
      "server/src/live/engines.ts": 'export { WebSocketServer } from "ws";',
      "server/src/conversation/engine/engines.ts": 'export { voice } from "@livekit/agents";',
      "server/src/platform/engines.ts": 'export { PgBoss } from "pg-boss";',
      "server/src/models/engines.ts": 'export { default as OpenAI } from "openai";',
    },
  },
  {
    name: "modules take the time from the clock",
    rule: "svc(time)",
    says: "A module takes the time from the clock it is given (platform/clock.ts)",
    files: {
      "server/src/sessions/time.ts": `
export const a = Date.now(); //!
export const b = new Date(); //!
export const c = Date(); //!
export const d = (now = Date.now): number => now(); //!
export const e = performance.now(); //!
export const f = new Date("2026-01-02T03:04:05Z");
export const g = setTimeout(() => 1, 10);`,
      "server/src/platform/clock.ts": "export const a = Date.now();",
      "server/src/api/time.ts": "export const a = Date.now();",
      "server/src/sessions/time.test.ts": "export const a = Date.now();",
    },
  },
  {
    name: "outside data is parsed by a schema",
    rule: "svc(outside-data)",
    says: "Outside data is parsed by a schema",
    files: {
      "server/src/api/data.ts": `
import { schema } from "./schema.ts";
type Body = { a: string };
export const a = JSON.parse("{}") as Body; //!
export const b: Body = JSON.parse("{}"); //!
export const c = (request: { body: unknown }): Body => request.body as Body; //!
export const d = async (answer: Response): Promise<Body> => (await answer.json()) as Body; //!
export const e: unknown = schema.parse(JSON.parse("{}"));
export const f: unknown = JSON.parse("{}");
export const g = (request: { body: unknown }): unknown => schema.parse(request.body);`,
      "server/src/sessions/data-store.ts": 'export const a = JSON.parse("{}") as { a: string };',
      "server/src/api/data.test.ts": 'export const a = JSON.parse("{}") as { a: string };',
    },
  },
  // The rules of code itself. Each is tried too: a rule may be switched on and still match nothing.
  {
    name: "no promise is left alone",
    rule: "typescript(no-floating-promises)",
    says: "Promises must be awaited",
    files: {
      "server/src/sessions/floating.ts": `
async function work(): Promise<void> {
  await Promise.resolve();
}
work(); //!
await work();`,
    },
  },
  {
    name: "a switch covers every case",
    rule: "typescript(switch-exhaustiveness-check)",
    says: "not exhaustive",
    files: {
      "server/src/sessions/switch.ts": `
export function short(status: "active" | "error"): number {
  switch (status) { //!
    case "active":
      return 1;
  }
  return 0;
}
export function whole(status: "active" | "error"): number {
  switch (status) {
    case "active":
      return 1;
    case "error":
      return 2;
  }
}`,
    },
  },
  {
    name: "types are imported as types",
    rule: "typescript(consistent-type-imports)",
    says: "only used as types",
    files: {
      "server/src/sessions/types.ts": `
import { Row } from "./row.ts"; //!
import type { Turn } from "./turn.ts";
export type Both = [Row, Turn];`,
    },
  },
  {
    name: "modules form no circle",
    rule: "import(no-cycle)",
    says: "Dependency cycle",
    files: {
      "server/src/sessions/hen.ts": `
import { egg } from "./egg.ts"; //!
import { nest } from "./nest.ts";
export const hen = (): unknown => [egg, nest];`,
      "server/src/sessions/egg.ts": `
import { hen } from "./hen.ts"; //!
export const egg = (): unknown => hen;`,
      "server/src/sessions/nest.ts": "export const nest = 1;",
    },
  },
  {
    name: "the server logs, only its CLI prints",
    rule: "eslint(no-console)",
    says: "console",
    files: {
      "server/src/sessions/print.ts": 'console.log("hello"); //!',
      "server/src/operator/print.ts": 'console.log("hello"); //!',
      "server/src/operator/cli.ts": 'console.log("hello");',
      "tools/src/print.ts": 'console.log("hello");',
    },
  },
  {
    name: "Node's modules are named as such",
    rule: "unicorn(prefer-node-protocol)",
    says: "node:",
    files: {
      "server/src/platform/protocol.ts": `
export { join } from "node:path";
export { sep } from "path"; //!`,
    },
  },
  {
    name: "a file has at most 600 lines",
    rule: "eslint(max-lines)",
    says: "has too many lines",
    files: {
      "server/src/platform/long.ts": lines(600),
      "server/src/platform/too-long.ts": `${lines(601)} //!`,
    },
  },
];

let tree: PlantedTree;
beforeAll(async () => {
  tree = await lintPlanted(boundaries);
}, 60_000);

it.each(boundaries)("catches what crosses the boundary: $name", (boundary) =>
  tree.expectCaught(boundary),
);

it("reports nothing else", () => tree.expectNothingElse());

it("catches nothing with the rules off", () => tree.expectNothingWithoutRules());

function lines(count: number): string {
  return `${"\n".repeat(count - 1)}export const last = 1;`;
}

const fruit: Boundary = {
  name: "no bananas",
  rule: "svc(fruit)",
  says: "no bananas",
  files: { "a.ts": "apple();\nbanana(); //!\n\npear(); //! no pears either" },
};

it("hides its marks from the rules", () => {
  expect([...plant([fruit]).files]).toEqual([["a.ts", "apple();\nbanana();\n\npear();\n"]]);
});

it("expects one finding on a marked line, and none on any other", () => {
  expect(plant([fruit]).lines.map(({ at, expected }) => [at, expected])).toEqual([
    ["a.ts:1", []],
    ["a.ts:2", [{ rule: "svc(fruit)", message: "no bananas" }]],
    ["a.ts:3", []],
    ["a.ts:4", [{ rule: "svc(fruit)", message: "no pears either" }]],
  ]);
});

it("puts boundaries that use the same file below each other", () => {
  const below = { ...fruit, name: "below", files: { "a.ts": "plum();\nbanana(); //!" } };
  const planted = plant([fruit, below]);
  expect(planted.files.get("a.ts")?.split("\n")[5]).toBe("banana();");
  expect(planted.lines.filter((line) => line.boundary === below).map(({ at }) => at)).toEqual([
    "a.ts:5",
    "a.ts:6",
  ]);
});
