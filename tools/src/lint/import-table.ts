/**
 * Who may import whom. A part is a package, or inside the server a room, an edge, the floor or a
 * single file. `import-rule.ts` reads it; ARCHITECTURE.md shows it.
 */
export interface Part {
  name: string;
  /** Its folder or file, from the repository's root. */
  at: string;
  kind: "package" | "floor" | "room" | "edge" | "root" | "testing";
  /** What others write to import it. `/*` at the end stands for any file. */
  doors?: string[];
  /** Files of the same package may reach it by a relative path too. */
  byPath?: true;
  /** Names of the parts it may import. */
  may: string[];
  /** Names of the parts it may import as types only. */
  mayAsTypes?: string[];
  /** The npm packages and Node modules it may import. See also `homes`. */
  packages: "any" | string[];
  /** Ends the message: why it may import no more, and what to do instead. */
  because: string;
  /** The same, said to those who may not import it, where that explains more. */
  keepOut?: string;
}

const contract = ["contract", "contract/types", "contract/schemas"];

/** From left to right: a room may import every rank to its left, never its own rank or one to its right. */
const roomRanks = [
  ["accounts"],
  ["agents"],
  ["engagement", "sessions"],
  ["conversation", "evaluation"],
  ["webhooks", "followup"],
  ["rights"],
];
const rooms = ["language", "models", ...roomRanks.flat()];
const edges = ["api", "live", "pipeline", "operator"];

export const parts: Part[] = [
  {
    name: "contract",
    at: "contract",
    kind: "package",
    doors: [
      "@svc/contract/session-fields",
      "@svc/contract/limits",
      "@svc/contract/live-close-codes",
      "@svc/contract/openapi.json",
      "@svc/contract/agent.schema.json",
      "@svc/contract/scenario.schema.json",
      "@svc/contract/fixtures/*",
    ],
    byPath: true,
    may: ["contract/types", "contract/schemas"],
    packages: [],
    because: "the contract runs everywhere, so it has no Node, no DOM and no I/O",
  },
  {
    name: "contract/types",
    at: "contract/src/types",
    kind: "package",
    doors: ["@svc/contract/types"],
    byPath: true,
    may: [],
    packages: [],
    because:
      "the types are published as they stand, and a schema behind them makes sdk.d.ts a hundred times larger. Write the type by hand",
  },
  {
    name: "contract/schemas",
    at: "contract/src/schemas",
    kind: "package",
    doors: ["@svc/contract/schemas"],
    byPath: true,
    may: ["contract/types"],
    packages: ["zod"],
    because: "the contract runs everywhere, so it has no Node, no DOM and no I/O",
  },
  {
    name: "sdk",
    at: "sdk",
    kind: "package",
    may: [],
    mayAsTypes: ["contract/types"],
    packages: [],
    because:
      "it runs on the customer's page and carries no dependency. Write the few lines it needs",
  },
  {
    name: "sdk/build",
    at: "sdk/build",
    kind: "package",
    may: [],
    packages: "any",
    because: "it only turns the SDK's sources into files",
  },
  {
    name: "client",
    at: "client",
    kind: "package",
    doors: ["@svc/client"],
    may: [],
    mayAsTypes: ["contract/types"],
    packages: [],
    because:
      "it runs in the customer's program and carries no dependency. Use what the web platform has",
  },
  {
    name: "console",
    at: "console",
    kind: "package",
    may: contract,
    packages: "any",
    because: "the console knows the product by its contract only. Ask the server over HTTP",
  },
  {
    name: "rehearsal",
    at: "rehearsal",
    kind: "package",
    doors: ["@svc/rehearsal", "@svc/rehearsal/*"],
    may: ["contract/types"],
    packages: "any",
    because: "it stands in for the outside world, which knows none of our code",
  },
  {
    name: "platform",
    at: "server/src/platform",
    kind: "floor",
    doors: ["#platform"],
    may: contract,
    packages: "any",
    because: "the floor knows no room. Take what you need as an argument",
  },
  {
    name: "language",
    at: "server/src/language",
    kind: "room",
    doors: ["#language"],
    may: contract,
    packages: [],
    because: "it only reads the text that it is given",
  },
  {
    name: "models",
    at: "server/src/models",
    kind: "room",
    doors: ["#models"],
    may: [...contract, "platform"],
    packages: "any",
    because: "it knows how a model is asked, and nothing of what for",
  },
  ...roomRanks.flatMap((rank, index) =>
    rank.map((name): Part => ({
      name,
      at: `server/src/${name}`,
      kind: "room",
      doors: [`#${name}`],
      may: [...contract, "platform", "language", "models", ...roomRanks.slice(0, index).flat()],
      packages: "any",
      because:
        "a room knows the floor and the rooms to its left, so that nothing flows back. Take it as an argument, main.ts hands it over",
    })),
  ),
  ...edges.map((name): Part => ({
    name,
    at: `server/src/${name}`,
    kind: "edge",
    doors: [`#${name}`],
    may: [...contract, "platform", "jobs.ts", ...rooms],
    packages: "any",
    because:
      "an edge knows rooms and the floor, never another edge. Put what both need into a room, or take it as an argument",
  })),
  {
    name: "config.ts",
    at: "server/src/config.ts",
    kind: "root",
    byPath: true,
    may: [...contract, "platform", "models", "config/"],
    packages: "any",
    because: "the configuration is read before any room exists",
  },
  {
    name: "config/",
    at: "server/src/config",
    kind: "root",
    byPath: true,
    may: [...contract, "platform", "models"],
    packages: "any",
    because: "the configuration is read before any room exists",
    keepOut: "config.ts is the only entry to the configuration. Import that, in a composition root",
  },
  {
    name: "jobs.ts",
    at: "server/src/jobs.ts",
    kind: "root",
    doors: ["#jobs"],
    may: ["platform", ...rooms],
    packages: [],
    because: "it only lists the jobs that rooms name",
  },
  ...["server/src/main.ts", "server/src/operator/cli.ts"].map((at): Part => ({
    name: at.slice(at.lastIndexOf("/") + 1),
    at,
    kind: "root",
    may: [...contract, "platform", "config.ts", "jobs.ts", ...rooms, ...edges],
    packages: "any",
    because: "the product runs without its tests, its stand-ins and its tools",
  })),
  {
    name: "testing",
    at: "server/src/testing",
    kind: "testing",
    doors: ["#testing", "#testing/database-test", "@svc/server/testing"],
    may: [...contract, "platform", "config.ts", "jobs.ts", ...rooms, "rehearsal", "tools"],
    packages: "any",
    because:
      "it drives rooms by their doors. Start the product as a process to test an edge from outside",
    keepOut:
      "factories and fakes are for *.test.ts files and proofs. The product must not lean on them",
  },
  {
    name: "tools",
    at: "tools",
    kind: "package",
    doors: ["@svc/tools/*"],
    may: contract,
    packages: "any",
    because:
      "tools work on the files of the repository. Start the product as a process where you need it",
  },
  {
    name: "proofs",
    at: "proofs",
    kind: "package",
    may: [...contract, "client", "rehearsal", "testing", "tools"],
    packages: "any",
    because:
      "a proof meets the product as a customer does, over the network; of the server it may import testing only",
  },
  ...["docs", "examples"].map((name): Part => ({
    name,
    at: name,
    kind: "package",
    may: [...contract, "client", "rehearsal"],
    packages: "any",
    because: "what readers copy must work with what we publish",
  })),
];

/** Packages that live in one place. Tests, and `testing`, are free of these. */
export interface Home {
  /** npm packages and Node modules; `/*` at the end stands for a whole scope. */
  packages: string[];
  /** The package of ours in which this holds. */
  within: "server" | "sdk";
  /** Where they live: the start of a path from the root, or `store` for the stores of rooms. */
  in: string[];
  /** Types of the package may be imported anywhere. */
  typesAnywhere?: true;
  /** These named imports are harmless and free to all. */
  freeNames?: string[];
  because: string;
}

const egress =
  "an address that a customer chose must pass the guard against requests into our own network. Send it through platform/egress/egress.ts";

export const homes: Home[] = [
  {
    packages: ["kysely", "pg", "pg-copy-streams", "pg-cursor", "postgres"],
    within: "server",
    in: ["server/src/platform", "store"],
    typesAnywhere: true,
    because:
      "SQL stands in a room's store.ts or *-store.ts. Move the query there and call it from here",
  },
  {
    packages: ["undici", "axios", "got", "ky", "node-fetch", "superagent"],
    within: "server",
    in: ["server/src/platform/egress/egress.ts"],
    because: egress,
  },
  {
    packages: ["node:http", "node:https", "node:http2"],
    within: "server",
    in: ["server/src/platform/egress/egress.ts"],
    typesAnywhere: true,
    freeNames: ["createServer", "createSecureServer", "STATUS_CODES"],
    because: egress,
  },
  {
    packages: ["fastify", "@fastify/*"],
    within: "server",
    in: ["server/src/api", "server/src/operator"],
    because:
      "HTTP is the edges' business. Give a room a verb, and call it from a route in api or operator",
  },
  {
    packages: ["ws"],
    within: "server",
    in: ["server/src/live", "server/src/conversation/speech"],
    because: "WebSockets are the business of the edge live, and of those who hear and speak",
  },
  {
    packages: ["@livekit/*"],
    within: "server",
    in: [
      "server/src/conversation/engine",
      "server/src/conversation/speech",
      "server/src/live/media",
    ],
    because:
      "loading it takes a second and 100 MB, and only conversations need it. Ask for them through #conversation",
  },
  {
    packages: ["openai"],
    within: "server",
    in: ["server/src/models"],
    because:
      "every request to a language model passes one function of #models, where its limits stand. Ask through it",
  },
  {
    packages: ["pg-boss"],
    within: "server",
    in: ["server/src/platform"],
    because: "jobs are sent and run through the floor's queue. Import it from #platform",
  },
  {
    packages: ["nodemailer", "nodemailer/*"],
    within: "server",
    in: ["server/src/platform/mail/smtp-mail"],
    because:
      "mail goes to exactly one address, which platform/mail/smtp-mail.ts sees to. Send it through #platform's Mail",
  },
  {
    packages: ["livekit-client"],
    within: "sdk",
    in: ["sdk/src/call/livekit", "sdk/src/livekit"],
    because:
      "only the SDK's livekit chunk may carry it; every other visitor would load it for nothing",
  },
];
