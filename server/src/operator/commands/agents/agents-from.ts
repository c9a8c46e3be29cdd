import { resolve } from "node:path";
import { agentFromSource } from "#agents";
import * as z from "zod";
import { defineCommand, given, optional } from "../../command.ts";
import type { Command, Input } from "../../command.ts";
import type { Operator } from "../../operator.ts";
import { parseNumber } from "../../arguments/parse-arguments.ts";
import { facts, heading } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const PAGES = { min: 1, max: 200 } as const;
const DELAY_MS = { min: 0, max: 60_000 } as const;

const Left = z.array(z.strictObject({ what: z.string(), why: z.string() }));

const agentsFrom = defineCommand({
  name: "agents from",
  summary: "Make an agent's folder from a website",
  arguments: [
    { name: "source", summary: "the site's address, such as https://www.example.com" },
    { name: "[dir]", summary: "a new folder, agents/guide when left out" },
  ],
  options: [
    { flags: "--pages <number>", summary: "read at most so many pages", default: "200" },
    {
      flags: "--delay <ms>",
      summary: "wait so long between two requests, longer where robots.txt asks for it",
      default: "250",
    },
    {
      flags: "--local",
      summary:
        "also read addresses inside your own network, to try it on a site that is not public",
    },
  ],
  examples: [
    ["svc agents from https://www.example.com agents/sales", "reads at most 200 pages, politely"],
    ["svc agents from http://localhost:8080 agents/try --local", "reads a site on this machine"],
  ],
  output: z.strictObject({
    directory: z.string(),
    brand: z.string(),
    pages: z.int(),
    files: z.array(z.string()),
    left_out: Left,
    to_write: z.array(z.string()).describe("fields of agent.yaml that nobody has written yet"),
  }),
  run: async (operator, input) => {
    const directory = (optional(input, "dir") ?? "agents/guide").replace(/(?<=.)\/+$/, "");
    const made = await agentFromSource({
      ...readingOf(operator, input),
      at: resolve(operator.directory, directory),
      shown: directory,
      source: given(input, "source"),
      maxPages: parseNumber(given(input, "pages"), "number of pages", PAGES)!,
    });
    const { left, toWrite, ...rest } = made;
    return { directory, ...rest, left_out: left, to_write: toWrite };
  },
  render: ({ directory, brand, pages, files, left_out, to_write }, terminal) =>
    [
      heading(terminal, `${brand}: ${pages} pages in ${files.length} files of ${directory}.`),
      ...leftOutLines(left_out, terminal),
      "",
      facts(terminal, [
        ["to write", to_write.join(", ")],
        ["begin", `${directory}/agent.yaml`],
        ["look", `svc agents plan ${directory} --account <account>`],
        ["later", `svc agents refresh ${directory}`],
      ]),
    ].join("\n"),
});

/** How a source is read, the same in both commands. */
function readingOf(
  operator: Operator,
  input: Input,
): Pick<
  Parameters<typeof agentFromSource>[0],
  "delayMs" | "egress" | "today" | "signal" | "onPage"
> {
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

export const agentsFromCommands: Command[] = [agentsFrom];
