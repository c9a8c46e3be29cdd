import { readdir, readFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { git } from "./table.ts";
import type { Claim, Proof } from "./proof.ts";

export interface NamedClaim {
  name: string;
  claim: Claim<never>;
  /** The proof it stands in, from the repository's root. */
  file: string;
  covers: string[];
}

export const ROOT: string = resolve(import.meta.dirname, "../../..");
const PROOFS = resolve(import.meta.dirname, "..");

/** Promises that a test beside the code holds as well as a proof would. */
export const heldByTests: Record<string, { promise: string; bound: string; files: string[] }> = {
  "agents-round-trip": {
    promise:
      "An applied agent is what its folder says: no change goes unseen, and every mistake is named at its line",
    bound: "0 plans wrong, 0 mistakes told at another field or line",
    files: ["server/src/agents/agent-plans.db.test.ts", "server/src/agents/agent-mistakes.test.ts"],
  },
  "audit-cannot-be-edited": {
    promise:
      "Who holds the server's database login can add entries to the audit log, and change, remove or backdate none",
    bound:
      "0 of 10 edits work, also after an import and the removal of an account; with the rights of before all do",
    files: ["server/src/rights/audit-cannot-be-edited.db.test.ts"],
  },
  "boundaries-hold": {
    promise: "Every boundary of the architecture is a lint rule that catches its violation",
    bound: "all caught, nothing lawful reported, none caught with the rules off",
    files: ["tools/src/lint/boundaries.test.ts"],
  },
  "cli-tells-the-truth": {
    promise: "The operator's commands do what their help says, tell what is so, and leak no secret",
    bound: "0 unused commands or flags, 0 faults",
    files: [
      "server/src/operator/svc-setup.db.test.ts",
      "server/src/operator/svc-talks.db.test.ts",
      "server/src/operator/svc-sending.db.test.ts",
    ],
  },
  "console-lets-nobody-in": {
    promise:
      "Nobody gets into the console, or at anything of another account, but who was let in, in their role, from its own pages; every look at a transcript and every change is recorded with their name",
    bound:
      "each route × no session, expired, each role, another account, another origin: exactly the documented answer; a link works once, leads nowhere else and gives an id that nobody planted",
    files: [
      "server/src/operator/console/console-lets-nobody-in.db.test.ts",
      "server/src/operator/console/signing-in.db.test.ts",
    ],
  },
  "limits-hold": {
    promise:
      "Limits on new sessions hold to the last one, however many start at once through however many processes, and a key starts one session",
    bound: "0 over or under any limit, without the lock at least 1 over",
    files: ["server/src/api/limits-hold.db.test.ts"],
  },
  "heard-is-what-was-played": {
    promise:
      "The transcript holds what the visitor heard and nothing else, wherever they interrupt and whatever the network loses",
    bound:
      "0 turns other than what was played; interrupted in the engine ≤ 1 word off, ≤ 2 without word times",
    files: [
      "server/src/conversation/heard/heard-is-what-was-played.test.ts",
      "server/src/conversation/engine/heard-after-interruption.test.ts",
    ],
  },
  "tenants-stay-apart": {
    promise: "No account ever reads another account's sessions",
    bound: "0 foreign ids or texts, with the account filter and by row-level security alone",
    files: ["server/src/api/tenants-stay-apart.db.test.ts"],
  },
  "tickets-die": {
    promise:
      "Whoever copied a ticket or an older token of a conversation gets nowhere once its page has spoken, whatever reloads, lost welcomes and takeovers come between, and at most one socket speaks",
    bound:
      "0 of 10,000 interleavings in which an older credential opens it, the page is refused or two sockets speak; without the rule at least 1",
    files: [
      "server/src/sessions/live/credentials.test.ts",
      "server/src/sessions/live/live-claim.db.test.ts",
    ],
  },
  "sdk-stays-small": {
    promise: "What a page and its visitor load stays small",
    bound:
      "each file within its limit in kilobytes after brotli, sdk.js ≤ 6.0; a file without a limit is noticed",
    files: ["sdk/build/sdk-size.test.ts"],
  },
  "secrets-stay-secret": {
    promise: "Secrets are shown once, when they are issued, and never again",
    bound: "0 secrets in logs, answers, metrics, commands or a dump, 0 faults while keys change",
    files: ["server/src/operator/svc-secrets.db.test.ts"],
  },
};

/** Every claim of every proof, by name. */
export async function readClaims(): Promise<NamedClaim[]> {
  const files = (await readdir(PROOFS)).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && file !== "prove.ts",
  );
  const claims = await Promise.all(
    files.map(async (name) => {
      const file = resolve(PROOFS, name);
      const { default: proof } = (await import(pathToFileURL(file).href)) as { default: Proof };
      return Object.entries(proof.claims).map(([key, claim]) => ({
        name: key,
        claim: claim as Claim<never>,
        file: relative(ROOT, file),
        covers: proof.covers,
      }));
    }),
  );
  return claims.flat().toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

/** The claims with these names, today's or former. Throws with the names there are. */
export function findClaims(all: NamedClaim[], names: string[]): NamedClaim[] {
  const found = names.map((name) =>
    all.find((one) => one.name === name || one.claim.formerly?.includes(name) === true),
  );
  const unknown = names.filter((_, index) => found[index] === undefined);
  if (unknown.length > 0) {
    const known = all.map(({ name }) => name).join(", ");
    throw new Error(`No such claim: ${unknown.join(", ")}. There are: ${known}.`);
  }
  return [...new Set(found)].filter((one) => one !== undefined);
}

/** The claims that a change since `commit` touches, the working tree included; `held` are names of those that tests hold. */
export async function changedClaims(
  all: NamedClaim[],
  commit: string,
): Promise<{ claims: NamedClaim[]; held: string[] }> {
  const untracked = git("ls-files", "--others", "--exclude-standard", "--full-name", ":/");
  const changed = `${git("diff", "--name-only", commit)}\n${untracked}`.split("\n").filter(Boolean);
  const ownFiles = new Map<string, Set<string>>();
  for (const file of new Set(all.map((one) => one.file))) {
    ownFiles.set(file, await importedFiles(resolve(ROOT, file)));
  }
  const claims = all.filter(
    ({ file, covers }) =>
      changed.some((path) => covers.some((covered) => path.startsWith(covered))) ||
      changed.some((path) => ownFiles.get(file)?.has(path)),
  );
  // A test stands in the folder of what it checks.
  const held = Object.keys(heldByTests).filter((name) =>
    heldByTests[name]!.files.some((file) => changed.some((path) => path.startsWith(dirname(file)))),
  );
  return { claims, held };
}

/** A proof's own files, from the repository's root: itself and what it imports by a relative path. */
async function importedFiles(file: string, found = new Set<string>()): Promise<Set<string>> {
  const path = relative(ROOT, file);
  if (found.has(path)) return found;
  found.add(path);
  const text = await readFile(file, "utf8").catch(() => "");
  for (const [, target = ""] of text.matchAll(/(?:from|import\(?)\s*"(\.[^"]+)"/g)) {
    await importedFiles(resolve(dirname(file), target), found);
  }
  return found;
}
