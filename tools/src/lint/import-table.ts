/**
 * The import table: which part may import which. A part is a package or, inside the server, a
 * module, an adapter, the platform or a single file. The lint rule in `import-rule.ts` enforces the
 * table; ARCHITECTURE.md shows it.
 */
export interface Part {
  name: string;
  /** The part's folder or file, as a path from the repository's root. */
  at: string;
  kind: "package" | "platform" | "module" | "adapter" | "root" | "testing";
  /** The specifiers by which other parts import this one. `/*` at the end matches any file. */
  entryPoints?: string[];
  /** Files of the same package may also import this part by a relative path. */
  byPath?: true;
  /** The names of the parts that this one may import. */
  may: string[];
  /** The names of the parts that this one may import as types only. */
  mayAsTypes?: string[];
  /** The npm packages and Node modules that this part may import. `homes` restricts some further. */
  packages: "any" | string[];
  /** The end of the lint message: why this part may import no more, and what to do instead. */
  because: string;
  /** The end of the message for parts that may not import this one, where that explains more than `because`. */
  keepOut?: string;
}

const contract = ["contract", "contract/types", "contract/schemas", "contract/words"];

/** A module may import the modules of every earlier rank, never one of its own rank or of a later rank. */
const moduleRanks = [
  ["accounts"],
  ["agents"],
  ["engagement", "sessions"],
  ["conversation", "evaluation"],
  ["webhooks", "followup"],
  ["rights"],
];
const modules = ["language", "models", ...moduleRanks.flat()];
const adapters = ["api", "live", "pipeline", "operator"];

export const parts: Part[] = [
  {
    name: "contract",
    at: "contract",
    kind: "package",
    entryPoints: [
      "@svc/contract/session-fields",
      "@svc/contract/limits",
      "@svc/contract/live-close-codes",
      "@svc/contract/openapi.json",
      "@svc/contract/admin-openapi.json",
      "@svc/contract/agent.schema.json",
      "@svc/contract/scenario.schema.json",
      "@svc/contract/tour.schema.json",
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
    entryPoints: ["@svc/contract/types"],
    byPath: true,
    may: [],
    packages: [],
    because:
      "the types are published as they are, and inferring them from a schema makes sdk.d.ts a hundred times larger. Write the type by hand",
  },
  {
    name: "contract/schemas",
    at: "contract/src/schemas",
    kind: "package",
    entryPoints: ["@svc/contract/schemas"],
    byPath: true,
    may: ["contract/types"],
    packages: ["zod"],
    because: "the contract runs everywhere, so it has no Node, no DOM and no I/O",
  },
  {
    name: "contract/words",
    at: "contract/words",
    kind: "package",
    entryPoints: ["@svc/contract/words/*"],
    may: [],
    packages: [],
    because: "it holds texts only",
  },
  {
    name: "sdk",
    at: "sdk",
    kind: "package",
    may: [],
    mayAsTypes: ["contract/types"],
    packages: ["livekit-client"],
    because:
      "it runs on the customer's page and has no dependencies. Write the few lines that it needs",
  },
  {
    name: "sdk/build",
    at: "sdk/build",
    kind: "package",
    may: [],
    mayAsTypes: ["contract/types"],
    packages: "any",
    because: "it only bundles the SDK's sources and texts",
  },
  {
    name: "client",
    at: "client",
    kind: "package",
    entryPoints: ["@svc/client"],
    may: [],
    mayAsTypes: ["contract/types"],
    packages: [],
    because:
      "it runs in the customer's program and has no dependencies. Use what the web platform provides",
  },
  {
    name: "console",
    at: "console",
    kind: "package",
    may: contract,
    packages: "any",
    because: "the console depends on the contract only. Call the server over HTTP",
  },
  {
    name: "rehearsal",
    at: "rehearsal",
    kind: "package",
    entryPoints: ["@svc/rehearsal", "@svc/rehearsal/*"],
    may: ["contract/types"],
    packages: "any",
    because: "it simulates third parties, which have none of our code",
  },
  {
    name: "platform",
    at: "server/src/platform",
    kind: "platform",
    entryPoints: ["#platform"],
    may: contract,
    packages: "any",
    because: "the platform depends on no module. Take what you need as an argument",
  },
  {
    name: "language",
    at: "server/src/language",
    kind: "module",
    entryPoints: ["#language"],
    may: contract,
    packages: ["cldr-rbnf", "node:module"],
    because:
      "it consists of pure functions over text. Its only data is the contract's words and the Unicode CLDR's, read once for each language",
  },
  {
    name: "models",
    at: "server/src/models",
    kind: "module",
    entryPoints: ["#models"],
    may: [...contract, "platform"],
    packages: "any",
    because: "it sends requests to models and does not know what they are for",
  },
  ...moduleRanks.flatMap((rank, index) =>
    rank.map((name): Part => ({
      name,
      at: `server/src/${name}`,
      kind: "module",
      entryPoints: [`#${name}`],
      may: [...contract, "platform", "language", "models", ...moduleRanks.slice(0, index).flat()],
      packages: "any",
      because:
        "a module depends on the platform and on modules of earlier ranks, so that there are no cycles. Take what you need as an argument and pass it in main.ts",
    })),
  ),
  ...adapters.map((name): Part => ({
    name,
    at: `server/src/${name}`,
    kind: "adapter",
    entryPoints: [`#${name}`],
    may: [...contract, "platform", "jobs.ts", ...modules],
    packages: "any",
    because:
      "an adapter depends on modules and the platform, never on another adapter. Put what both need into a module, or take it as an argument",
  })),
  {
    name: "config.ts",
    at: "server/src/config.ts",
    kind: "root",
    byPath: true,
    may: [...contract, "platform", "models", "config/"],
    packages: "any",
    because: "the configuration is read before any module is created",
  },
  {
    name: "config/",
    at: "server/src/config",
    kind: "root",
    byPath: true,
    may: [...contract, "platform", "models"],
    packages: "any",
    because: "the configuration is read before any module is created",
    keepOut:
      "config.ts is the only entry point of the configuration. Import config.ts, and only in a composition root",
  },
  {
    name: "jobs.ts",
    at: "server/src/jobs.ts",
    kind: "root",
    entryPoints: ["#jobs"],
    may: ["platform", ...modules],
    packages: [],
    because: "it only lists the jobs that modules name",
  },
  ...["server/src/main.ts", "server/src/operator/cli.ts"].map((at): Part => ({
    name: at.slice(at.lastIndexOf("/") + 1),
    at,
    kind: "root",
    may: [...contract, "platform", "config.ts", "jobs.ts", ...modules, ...adapters],
    packages: "any",
    because: "the product must run without its tests, its simulators and its tools",
  })),
  {
    name: "testing",
    at: "server/src/testing",
    kind: "testing",
    entryPoints: ["#testing", "#testing/database-test", "@svc/server/testing"],
    may: [...contract, "platform", "config.ts", "jobs.ts", ...modules, "rehearsal", "tools"],
    packages: "any",
    because:
      "it uses modules through their entry points. Start the product as a process to test an adapter from outside",
    keepOut:
      "factories and fakes are for *.test.ts files and proofs. The product must not depend on them",
  },
  {
    name: "tools",
    at: "tools",
    kind: "package",
    entryPoints: ["@svc/tools/*"],
    may: contract,
    packages: "any",
    because:
      "tools work on the files of the repository. Start the product as a process if you need it",
  },
  {
    name: "proofs",
    at: "proofs",
    kind: "package",
    may: [...contract, "client", "rehearsal", "testing", "tools"],
    packages: "any",
    because:
      "a proof uses the product as a customer does, over the network; of the server it may import testing only",
  },
  ...["docs", "examples"].map((name): Part => ({
    name,
    at: name,
    kind: "package",
    may: [...contract, "client", "rehearsal"],
    packages: "any",
    because: "readers copy this code, so it must work with what we publish",
  })),
];

/** npm packages and Node modules that only some files may import. Tests, and `testing`, may import them anywhere. */
export interface Home {
  /** npm packages and Node modules; `/*` at the end stands for a whole scope. */
  packages: string[];
  /** Our package in which the restriction applies. */
  within: "server" | "sdk";
  /** The files that may import them: the start of a path from the root, or `store` for the stores of modules. */
  in: string[];
  /** Types of the packages may be imported anywhere. */
  typesAnywhere?: true;
  /** Named imports that are harmless and allowed anywhere. */
  freeNames?: string[];
  because: string;
}

const egress =
  "a URL that a customer chose could point into our own network (SSRF). Send it through platform/egress/egress.ts";

export const homes: Home[] = [
  {
    packages: ["kysely", "pg", "pg-copy-streams", "pg-cursor", "postgres"],
    within: "server",
    in: ["server/src/platform", "store"],
    typesAnywhere: true,
    because:
      "SQL belongs in a module's store.ts or *-store.ts. Move the query there and call it from here",
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
      "only adapters serve HTTP. Export a function from a module, and call it from a route in api or operator",
  },
  {
    packages: ["ws"],
    within: "server",
    in: ["server/src/live", "server/src/conversation/speech"],
    because:
      "only the adapter live and the speech providers use WebSockets. Go through #live or #conversation",
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
      "loading it takes a second and 100 MB, and only conversations need it. Go through #conversation",
  },
  {
    packages: ["openai"],
    within: "server",
    in: ["server/src/models"],
    because:
      "every request to a language model goes through one function of #models, which enforces the limits. Call that function",
  },
  {
    packages: ["pg-boss"],
    within: "server",
    in: ["server/src/platform"],
    because: "jobs are sent and run through the platform's queue. Import it from #platform",
  },
  {
    packages: ["nodemailer", "nodemailer/*"],
    within: "server",
    in: ["server/src/platform/mail/smtp-mail"],
    because:
      "platform/mail/smtp-mail.ts makes sure that a mail goes to exactly one address. Send it through #platform's Mail",
  },
  {
    packages: ["livekit-client"],
    within: "sdk",
    in: ["sdk/src/livekit"],
    because:
      "only the SDK's livekit chunk may contain it; every other visitor would load it for nothing",
  },
];
