import { parseArgs } from "node:util";
import { ExplainedError } from "./explained-error.ts";

/** What one start was told. */
export interface DevOptions {
  /** Of the server. */
  port: number;
  /** Of the start page. */
  pagePort: number;
  /** Throw away the data of earlier starts. */
  fresh: boolean;
}

export const USAGE = `npm run dev                      start everything, with the data of the last time
npm run dev -- --fresh           throw that data away and begin anew
npm run dev -- --port 8081       the server's port        (8080, or SVC_DEV_PORT)
npm run dev -- --page-port 8001  the start page's port    (8000, or SVC_DEV_PAGE_PORT)`;

/** Undefined when help was asked for. */
export function readOptions(
  argv: string[],
  environment: Record<string, string | undefined>,
): DevOptions | undefined {
  const flags = parseFlags(argv);
  if (flags.help) return undefined;
  const port = portFrom("--port", flags.port ?? environment["SVC_DEV_PORT"], 8080);
  const pagePort = portFrom(
    "--page-port",
    flags["page-port"] ?? environment["SVC_DEV_PAGE_PORT"],
    8000,
  );
  if (port === pagePort) {
    throw wrongUse(`The server and the start page cannot share port ${port}.`);
  }
  return { port, pagePort, fresh: flags.fresh };
}

interface Flags {
  port?: string | undefined;
  "page-port"?: string | undefined;
  fresh: boolean;
  help: boolean;
}

function parseFlags(args: string[]): Flags {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: "string" },
        "page-port": { type: "string" },
        fresh: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    throw wrongUse(error instanceof Error ? error.message.split(". ", 1)[0]! : String(error));
  }
}

function portFrom(name: string, text: string | undefined, usual: number): number {
  if (text === undefined || text === "") return usual;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw wrongUse(`${name} must be a number from 1 to 65535, not "${text}".`);
}

function wrongUse(why: string): ExplainedError {
  return new ExplainedError({
    what: "This command line was not understood.",
    why: /[.!?]$/.test(why) ? why : `${why}.`,
    fix: "Run `npm run dev -- --help` for what it takes.",
  });
}
