import type { Wall } from "./wall.ts";

/** The rules of code itself: each is tried too, since a rule may be switched on and still match nothing. */
export const houseRules: Wall[] = [
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

function lines(count: number): string {
  return `${"\n".repeat(count - 1)}export const last = 1;`;
}
