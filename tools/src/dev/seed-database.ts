import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DevFolder, Seeded } from "./dev-folder.ts";
import { believableSessions, unevaluatedTalks } from "./seed/sessions.ts";
import type { Talk } from "./seed/sessions.ts";
import { textAt } from "./svc.ts";
import type { Svc } from "./svc.ts";

const SESSIONS = 300;
const TALKS = 8;
const AGENT = "guide";
/** One visitor of this machine may try as often as they like. */
const LIMITS = ["starts_per_minute_per_address=1000", "at_once_per_address=50"].flatMap((limit) => [
  "--limit",
  limit,
]);

/**
 * An account, a token, an agent that demonstrates Svc, a month of its sessions, and a few that the
 * pipeline is to evaluate: all by `svc`, as an operator would.
 */
export async function seedDatabase(svc: Svc, folder: DevFolder): Promise<Seeded> {
  const account = textAt(await svc("accounts", "add", "Demo"), "client_id");
  const [issued, applied] = await Promise.all([
    svc("tokens", "issue", account, "--label", "development"),
    applyExampleAgent(svc, join(folder.agents, AGENT), account),
    svc("accounts", "set", account, "--follow-up", "on", ...LIMITS),
  ]);
  const token = textAt(issued, "token");
  const agentId = textAt(applied, "agent_id");

  const now = new Date();
  await writeLines(folder.sessions, believableSessions({ agentId, count: SESSIONS, now }));
  const talks = unevaluatedTalks({ agentId, count: TALKS, now });
  await writeLines(folder.talks, talks);
  await svc("sessions", "import", folder.sessions, "--account", account);
  await svc("sessions", "import", folder.talks, "--account", account, "--unevaluated");

  const seeded = { clientId: account, token, agentId, sessionId: worthReading(talks).id };
  await folder.writeSeeded(seeded);
  return seeded;
}

async function writeLines(path: string, objects: object[]): Promise<void> {
  await writeFile(path, objects.map((one) => `${JSON.stringify(one)}\n`).join(""));
}

async function applyExampleAgent(svc: Svc, directory: string, account: string): Promise<unknown> {
  await svc("agents", "init", directory);
  return svc("agents", "apply", directory, "--account", account);
}

/** The newest in which the visitor cut in. */
function worthReading(talks: Talk[]): Talk {
  const shows = ({ transcript }: Talk): boolean =>
    transcript?.some((turn) => turn.interrupted) === true;
  return talks.findLast(shows) ?? talks.at(-1)!;
}
