import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestDatabase } from "@svc/server/testing";
import { runSvc } from "../../pipeline/run-svc.ts";
import { ROOT } from "../../runner/claims.ts";
import type { PlayedTalk } from "./play-talk.ts";
import type { RunSums } from "./sum-up.ts";

const OUT = join(ROOT, "proofs/.out/natural-talks");
const TOLD = ["held", "second_try", "direction", "verifier", "reply"];

/** One run in Markdown and in JSON, with the product's own reasons for what went wrong. */
export async function reportRun(
  name: string,
  sums: RunSums,
  played: PlayedTalk[],
  strays: string[],
  database: TestDatabase,
): Promise<void> {
  await mkdir(OUT, { recursive: true });
  const lines = [`# ${name}`, "", "```json", JSON.stringify(sums, null, 2), "```", ""];
  lines.push(...[...new Set(strays)].map((one) => `- belongs to no talk: ${one}`), "");
  const events: Record<string, unknown> = {};
  for (const talk of played) {
    const wrong = wrongsOf(talk);
    if (wrong.length === 0) continue;
    const told = await eventsOf(database, talk.sessionId);
    events[talk.talk.id] = told;
    lines.push(`## ${talk.talk.id}`, "", `session ${talk.sessionId}`, "", ...wrong, "");
    lines.push(...told.map((one) => `    ${JSON.stringify(one)}`), "");
  }
  await writeFile(join(OUT, `${name}.md`), lines.join("\n"));
  await writeFile(
    join(OUT, `${name}.json`),
    JSON.stringify({ sums, strays, played, events }, withoutRequests, 1),
  );
}

/** They are long, and of no use without their model. */
function withoutRequests(key: string, value: unknown): unknown {
  return key === "lastRequest" ? undefined : value;
}

function wrongsOf(talk: PlayedTalk): string[] {
  const { address } = talk;
  const ofSentences = talk.sentences.flatMap(({ turn, must, kind, fate, say, isAgain }) => {
    if (must === "pass" ? fate === "reached" : fate === "dropped") return [];
    const what = must === "pass" ? fate : `leaked ${kind}${isAgain ? ", in other words" : ""}`;
    return [`- turn ${turn}, ${what}: ${say}`];
  });
  return [
    ...ofSentences,
    ...talk.added.map(
      (one) => `- turn ${one.turn}, added${one.isBehind ? " behind" : ""}: ${one.text}`,
    ),
    ...talk.ends.map((one) => `- turn ${one.turn}, wrongly ${one.got}: ${one.reason}`),
    ...talk.missing.map((one) => `- turn ${one.turn}, missing: ${one.what}`),
    ...talk.faults.map((one) => `- turn ${one.turn}, request: ${one.fault}`),
    ...talk.turns.flatMap(({ requests, vetoes }, turn) =>
      requests > 1 + Math.min(vetoes, 1)
        ? [`- turn ${turn}: ${requests} requests, ${vetoes} vetoes`]
        : [],
    ),
    ...(address.wanted === address.got ? [] : [`- address ${address.wanted}, kept ${address.got}`]),
  ];
}

async function eventsOf(database: TestDatabase, sessionId: string): Promise<unknown[]> {
  const shown = await runSvc(database, ["sessions", "show", sessionId, "--json"]);
  const { events } = JSON.parse(shown) as { events: { kind: string; detail: unknown }[] };
  return events.filter(({ kind }) => TOLD.includes(kind));
}
