import { resolve } from "node:path";
import { agentFromSource, refreshAgent } from "#agents";
import type { FromSource } from "#agents";
import * as z from "zod";
import { defineCommand, given, optional } from "../../command.ts";
import type { Command, Input, Option } from "../../command.ts";
import type { Operator } from "../../operator.ts";
import { folderOf, parseNumber } from "../../arguments/parse-arguments.ts";
import { Changes, changesPage } from "../../pages/plan-page.ts";
import { facts, heading } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const PAGES = { min: 1, max: 200 } as const;
const DELAY_MS = { min: 0, max: 60_000 } as const;

const Left = z.array(z.strictObject({ what: z.string(), why: z.string() }));

const DELAY: Option = {
  flags: "--delay <ms>",
  summary: "wait so long between two requests, longer where robots.txt asks for it",
  default: "250",
};
const LOCAL: Option = {
  flags: "--local",
  summary: "also read addresses inside your own network, to try it on a site that is not public",
};

const agentsFrom = defineCommand({
  name: "agents from",
  summary: "Make an agent's folder from a website or documents",
  arguments: [
    {
      name: "source",
      summary: "the site's address, or a folder or file: HTML, Markdown, PDF, DOCX, OpenAPI",
    },
    { name: "[dir]", summary: "a new folder, agents/guide when left out" },
  ],
  options: [
    { flags: "--pages <number>", summary: "read at most so many pages", default: "200" },
    DELAY,
    LOCAL,
    { flags: "--without-model", summary: "draft nothing, even where a model is set up" },
  ],
  examples: [
    ["svc agents from https://www.example.com agents/sales", "reads at most 200 pages, politely"],
    ["svc agents from handbook/ agents/help", "reads the documents of a folder"],
    ["svc agents from http://localhost:8080 agents/try --local", "reads a site on this machine"],
  ],
  output: z.strictObject({
    directory: z.string(),
    brand: z.string(),
    pages: z.int(),
    files: z.array(z.string()),
    left_out: Left,
    drafted: z.string().exactOptional(),
    local: z.boolean().describe("whether addresses inside your own network could be read"),
    to_write: z.array(z.string()).describe("fields of agent.yaml that nobody has written yet"),
  }),
  run: async (operator, input) => {
    const [at, directory] = folderOf(operator, input, optional(input, "dir") ?? "agents/guide");
    const made = await agentFromSource({
      ...readingOf(operator, input),
      at,
      shown: directory,
      source: given(input, "source"),
      path: resolve(operator.directory, given(input, "source")),
      models: modelsFor(operator, input),
      maxPages: parseNumber(given(input, "pages"), "number of pages", PAGES)!,
    });
    const { left, toWrite, ...rest } = made;
    const local = input.options["local"] === true;
    return { directory, ...rest, left_out: left, local, to_write: toWrite };
  },
  render: ({ directory, brand, pages, files, left_out, drafted, local, to_write }, terminal) =>
    [
      heading(terminal, `${brand}: ${pagesOf(pages)} in ${files.length} files of ${directory}.`),
      ...leftOutLines(left_out, terminal),
      "",
      facts(terminal, [
        ["drafted", drafted],
        ["to write", to_write.join(", ")],
        ["begin", `${directory}/agent.yaml`],
        ["look", `svc agents plan ${directory} --account <account>`],
        ["later", `svc agents refresh ${directory}${local ? " --local" : ""}`],
      ]),
    ].join("\n"),
});

function pagesOf(count: number): string {
  return count === 1 ? "1 page" : `${count} pages`;
}

function modelsFor(operator: Operator, input: Input): FromSource["models"] {
  const isWanted = input.options["withoutModel"] !== true;
  const isThere = operator.modelPlaces().evaluation !== undefined;
  return isWanted && isThere ? operator.models() : undefined;
}

const agentsRefresh = defineCommand({
  name: "agents refresh",
  summary: "Show what has changed at the source that a folder was made from",
  arguments: [{ name: "dir", summary: "a folder that `svc agents from` has made" }],
  options: [
    DELAY,
    LOCAL,
    { flags: "--write", summary: "write it into the folder; files that you have changed stay" },
  ],
  examples: [
    ["svc agents refresh agents/sales", "asks the site only for what has changed"],
    ["svc agents refresh agents/sales --write", "then `svc agents plan` shows the same changes"],
  ],
  output: z.strictObject({
    directory: z.string(),
    source: z.string(),
    pages: z.int(),
    changes: Changes,
    edited: z.array(z.string()).describe("files that somebody has changed, and that stay"),
    left_out: Left,
    written: z.boolean(),
  }),
  run: async (operator, input) => {
    const [at, directory] = folderOf(operator, input);
    const shouldWrite = input.options["write"] === true;
    const { left, ...rest } = await refreshAgent(
      {
        ...readingOf(operator, input),
        at,
        shown: directory,
        pathOf: (source) => resolve(operator.directory, source),
      },
      { shouldWrite },
    );
    return { directory, ...rest, left_out: left, written: shouldWrite };
  },
  render: ({ directory, source, pages, changes, edited, left_out, written }, terminal) =>
    [
      heading(terminal, `${source}: ${pagesOf(pages)}.`),
      ...changesPage(changes, terminal),
      ...leftOutLines(left_out, terminal),
      "",
      ...(edited.length > 0 ? [`Yours, and not written: ${edited.join(", ")}`] : []),
      changes.length === 0
        ? "Nothing has changed at the source."
        : written
          ? `Written into ${directory}. Read it, then run \`svc agents plan ${directory}\`.`
          : "Nothing is written yet. The same with --write does it.",
    ].join("\n"),
});

/** How a source is read, the same in both commands. */
function readingOf(
  operator: Operator,
  input: Input,
): Pick<FromSource, "delayMs" | "egress" | "today" | "signal" | "onPage"> {
  const { alsoForbidden, dnsServers } = operator.receivers();
  return {
    delayMs: parseNumber(given(input, "delay"), "delay in milliseconds", DELAY_MS)!,
    // What is read is public: http: is fine, and whether private addresses are is said each time.
    egress: {
      alsoForbidden,
      dnsServers,
      allowPlainHttp: true,
      allowPrivate: input.options["local"] === true,
    },
    today: new Date(operator.clock.nowMs()).toISOString().slice(0, 10),
    signal: operator.interrupted(),
    onPage: (done, total) => operator.progress(done, total, "pages read"),
  };
}

const MAX_EXAMPLES = 3;

/** How many were left out for each reason, with a few of them. */
function leftOutLines(left: z.infer<typeof Left>, terminal: Terminal): string[] {
  if (left.length === 0) return [];
  const byReason = Map.groupBy(left, ({ why }) => why.replace(/ (?:https?:|")\S.*$/, " …"));
  const rows = [...byReason].map(([why, all]): [string, string] => {
    const more = all.length - MAX_EXAMPLES;
    const shown = all.slice(0, MAX_EXAMPLES).map((one) => one.what);
    return [`${all.length} ${why}`, `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`];
  });
  return ["", `Left out: ${left.length}`, facts(terminal, rows)];
}

export const agentsFromCommands: Command[] = [agentsFrom, agentsRefresh];
