import { once } from "node:events";
import { createServer } from "node:net";
import { ExplainedError } from "./explained-error.ts";
import { portOwner } from "../port-owner.ts";

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
  /** What the port is for: "the server". */
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
