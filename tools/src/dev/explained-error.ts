import { once } from "node:events";
import { createServer } from "node:net";
import { portOwner } from "../ports.ts";

/** Sees that a port can be listened on, and explains it if not. */
export async function checkPort(port: number, purpose: Purpose): Promise<void> {
  const probe = createServer();
  try {
    probe.listen(port, "127.0.0.1");
    await once(probe, "listening");
  } catch (error) {
    throw await portTrouble(port, purpose, error);
  }
  probe.close();
  await once(probe, "close");
}

export interface Purpose {
  /** The use of the port: "the server". */
  what: string;
  /** The flag that chooses another. */
  flag: string;
}

async function portTrouble(port: number, { what, flag }: Purpose, error: unknown): Promise<Error> {
  const { code } = error as NodeJS.ErrnoException;
  const another = `use another port: npm run dev -- ${flag} ${port < 65_535 ? port + 1 : port - 1}`;
  if (code === "EACCES") {
    return new ExplainedError({
      what: `Port ${port}, meant for ${what}, may not be used.`,
      why: "This system keeps low ports for its administrator.",
      fix: capital(another),
    });
  }
  if (code !== "EADDRINUSE") return error as Error;
  const owner = await portOwner(port);
  return new ExplainedError({
    what: `Port ${port}, meant for ${what}, is taken.`,
    why:
      owner === undefined
        ? "Another program listens on it; which one this user may not see."
        : `Process ${owner.pid} listens on it: ${shortened(owner.command)}`,
    fix: `Stop that program, or ${another}`,
  });
}

function shortened(text: string): string {
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** An error that explains why the start cannot go on, in three sentences: what, why, and what to do. */
export class ExplainedError extends Error {
  readonly what: string;
  readonly why: string;
  readonly fix: string;

  constructor(words: { what: string; why: string; fix: string }) {
    super(words.what);
    this.name = "ExplainedError";
    this.what = words.what;
    this.why = words.why;
    this.fix = words.fix;
  }
}

/** The same three lines that `svc` prints. */
export function explain(error: unknown): string {
  const { what, why, fix } =
    error instanceof ExplainedError
      ? error
      : {
          what: "The development runner itself failed.",
          why: error instanceof Error ? (error.stack ?? error.message) : String(error),
          fix: "Start it again; if it stays, `npm run dev -- --fresh` begins with new data.",
        };
  return [`Error: ${what}`, `Why:   ${why}`, `Do:    ${fix}`].join("\n");
}
