import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@svc/contract/types";
import type { DevFolder, Seeded } from "./dev-folder.ts";
import { believableSessions } from "./seed/sessions.ts";
import { textAt } from "./svc.ts";
import type { Svc } from "./svc.ts";

const SESSIONS = 300;
const AGENT = "guide";
/** One visitor of this machine may try as often as they like. */
const LIMITS = ["starts_per_minute_per_address=1000", "at_once_per_address=50"];

/** An account, a token, an agent that demonstrates Svc, and a month of its sessions: all by `svc`, as an operator would. */
export async function seedDatabase(svc: Svc, folder: DevFolder): Promise<Seeded> {
  const account = textAt(await svc("accounts", "add", "Demo"), "client_id");
  const [issued, applied] = await Promise.all([
    svc("tokens", "issue", account, "--label", "development"),
    applyExampleAgent(svc, join(folder.agents, AGENT), account),
    svc("accounts", "set", account, ...LIMITS.flatMap((limit) => ["--limit", limit])),
  ]);
  const token = textAt(issued, "token");
  const agentId = textAt(applied, "agent_id");

  const sessions = believableSessions({ agentId, count: SESSIONS, now: new Date() });
  await writeFile(
    folder.sessions,
    sessions.map((session) => `${JSON.stringify(session)}\n`).join(""),
  );
  await svc("sessions", "import", folder.sessions, "--account", account);

  const seeded = { clientId: account, token, agentId, sessionId: worthReading(sessions).id };
  await folder.writeSeeded(seeded);
  return seeded;
}

async function applyExampleAgent(svc: Svc, directory: string, account: string): Promise<unknown> {
  await svc("agents", "init", directory);
  return svc("agents", "apply", directory, "--account", account);
}

/** The newest that shows most: a cut turn, an objection and an address. */
function worthReading(sessions: Session[]): Session {
  const shows = ({ transcript, evaluation, email }: Session): boolean =>
    transcript?.some((turn) => turn.interrupted) === true &&
    evaluation?.objections !== undefined &&
    email !== undefined;
  return sessions.findLast(shows) ?? sessions.at(-1)!;
}
