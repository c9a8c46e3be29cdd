import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../ports.ts";
import { checkPort } from "./explained-error.ts";
import type { DevFolder, Seeded } from "./dev-folder.ts";
import { believableSessions, unevaluatedTalks } from "./seed/sessions.ts";
import type { Talk } from "./seed/sessions.ts";
import { textAt } from "./child-processes.ts";
import type { Svc } from "./child-processes.ts";

const SESSIONS = 300;
const TALKS = 8;
const AGENT = "guide";
const PRODUCT = "tidewise";
const PRODUCT_AGENT = join(import.meta.dirname, "product", PRODUCT);
/** High enough that no experiment on one machine reaches a limit. */
const LIMITS = [
  "starts_per_minute_per_address=1000",
  "at_once_per_address=50",
  "starts_per_ten_minutes_per_ipv4_24=none",
  "starts_per_ten_minutes_per_ipv6_56=none",
  "starts_per_ten_minutes_per_ipv6_48=none",
  "unconnected_per_network=none",
  "at_once_per_network=none",
  "test_starts_per_minute_per_agent=1000",
  "test_at_once_per_agent=50",
  "daily_mails_per_visitor=none",
].flatMap((limit) => ["--limit", limit]);

/**
 * An account, a token, an agent that demonstrates Svc, a month of its sessions, and a few that the
 * pipeline is to evaluate: all by `svc`, as an operator would.
 */
export async function seedDatabase(svc: Svc, folder: DevFolder, pageUrl: string): Promise<Seeded> {
  const account = textAt(await svc("accounts", "add", "Demo"), "client_id");
  const [issued, applied, product] = await Promise.all([
    svc("tokens", "issue", account, "--label", "development"),
    applyExampleAgent(svc, join(folder.agents, AGENT), account),
    applyProductAgent(svc, folder, { account, pageUrl }),
  ]);
  const token = textAt(issued, "token");
  const agentId = textAt(applied, "agent_id");
  // Pages that name only the account, as the older bootstrap does, get the default agent.
  const settings = ["--follow-up", "on", "--default-agent", agentId, ...LIMITS];
  await svc("accounts", "set", account, ...settings);

  const now = new Date();
  await writeLines(folder.sessions, believableSessions({ agentId, count: SESSIONS, now }));
  const talks = unevaluatedTalks({ agentId, count: TALKS, now });
  await writeLines(folder.talks, talks);
  await svc("sessions", "import", folder.sessions, "--account", account);
  await svc("sessions", "import", folder.talks, "--account", account, "--unevaluated");

  const seeded = {
    clientId: account,
    token,
    agentId,
    productAgentId: textAt(product, "agent_id"),
    sessionId: worthReading(talks).id,
  };
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

async function applyProductAgent(
  svc: Svc,
  folder: DevFolder,
  { account, pageUrl }: { account: string; pageUrl: string },
): Promise<unknown> {
  const directory = join(folder.agents, PRODUCT);
  await cp(PRODUCT_AGENT, directory, { recursive: true });
  await leadTo(pageUrl, directory);
  return svc("agents", "apply", directory, "--account", account);
}

/** Answers of the made-up product's agent lead to its pages, whose port may be another one at each start. */
export async function moveProductAgent(
  svc: Svc,
  folder: DevFolder,
  { account, pageUrl }: { account: string; pageUrl: string },
): Promise<void> {
  const directory = join(folder.agents, PRODUCT);
  if (await leadTo(pageUrl, directory))
    await svc("agents", "apply", directory, "--account", account);
}

/** @returns whether a file named another port. */
async function leadTo(pageUrl: string, directory: string): Promise<boolean> {
  const { port } = new URL(pageUrl);
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  let hasMoved = false;
  for (const name of names.filter((one) => /agent\.yaml$|^knowledge.*\.md$/.test(one))) {
    const path = join(directory, name);
    const text = await readFile(path, "utf8");
    const moved = text.replaceAll(/(http:\/\/(?:127\.0\.0\.1|localhost)):\d+/g, `$1:${port}`);
    if (moved === text) continue;
    await writeFile(path, moved);
    hasMoved = true;
  }
  return hasMoved;
}

/** The newest talk in which the visitor interrupted the agent. */
function worthReading(talks: Talk[]): Talk {
  const shows = ({ transcript }: Talk): boolean =>
    transcript?.some((turn) => turn.interrupted) === true;
  return talks.findLast(shows) ?? talks.at(-1)!;
}

/** Registers the stand-in of a receiver with the account, once, and tells it the secret to check with. */
export async function registerReceiver(
  svc: Svc,
  folder: DevFolder,
  { account, url }: { account: string; url: string },
): Promise<void> {
  const known = await folder.readReceiver();
  const secret =
    known?.url === url ? known.secret : await register(svc, folder, { account, url, known });
  await fetch(`${url}/rehearsal/secrets`, {
    method: "PUT",
    body: JSON.stringify({ secrets: [secret] }),
  });
}

/** The port of the last start, where that is free: it is part of the registered address. */
export async function receiverPort(folder: DevFolder): Promise<number> {
  const known = await folder.readReceiver();
  if (known === undefined) return freePort();
  const port = Number(new URL(known.url).port);
  const isFree = await checkPort(port, { what: "the webhook receiver", flag: "--fresh" }).then(
    () => true,
    () => false,
  );
  return isFree ? port : freePort();
}

async function register(
  svc: Svc,
  folder: DevFolder,
  facts: { account: string; url: string; known: { endpointId: string } | undefined },
): Promise<string> {
  const { account, url, known } = facts;
  // An endpoint that was removed by hand must not keep the runner from starting.
  if (known !== undefined) {
    await svc("webhooks", "remove", known.endpointId, "--yes").catch(() => {});
  }
  const added = await svc("webhooks", "add", `${url}/hook`, "--account", account);
  const [endpointId, secret] = [textAt(added, "id"), textAt(added, "secret")];
  await folder.writeReceiver({ url, endpointId, secret });
  return secret;
}
