import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestDatabase } from "@svc/server/testing";
import { ROOT } from "../../runner/claims.ts";
import type { PlayedTalk } from "./play-talk.ts";
import type { RunSums } from "./sum-up.ts";

const OUT = join(ROOT, "proofs/.out/natural-talks");
/** What `svc sessions show` tells about a turn; `reply` is the last of each. */
const KINDS = ["held", "second_try", "verifier", "direction", "reply"];

interface Event {
  kind: string;
  detail: object;
}

/** One run in Markdown and in JSON: all that went wrong, with the product's own events of that turn. */
export async function reportRun(
  name: string,
  sums: RunSums,
  played: PlayedTalk[],
  strays: string[],
  { pool }: TestDatabase,
): Promise<void> {
  const lines = [`# ${name}`, "", "```json", JSON.stringify(sums, null, 2), "```", ""];
  lines.push(...[...new Set(strays)].map((one) => `- belongs to no talk: ${one}`));
  for (const talk of played) {
    const wrongs = wrongsOf(talk);
    if (wrongs.length === 0) continue;
    const { rows } = await pool.query<Event>(
      "SELECT kind, detail FROM session_events WHERE session_id = $1 AND kind = ANY ($2) ORDER BY seq",
      [talk.sessionId, KINDS],
    );
    lines.push("", `## ${talk.talk.id}, session ${talk.sessionId}`);
    for (const [turn, texts] of Map.groupBy(wrongs, (one) => one.turn))
      lines.push(
        "",
        ...texts.map(({ text }) => `- turn ${turn}: ${text}`),
        "",
        ...eventsIn(talk, turn, rows),
      );
  }
  await mkdir(OUT, { recursive: true });
  await writeFile(join(OUT, `${name}.md`), `${lines.join("\n")}\n`);
  const talks = played.map(({ lastRequest, ...rest }) => ({
    ...rest,
    hadRequest: lastRequest !== undefined,
  }));
  await writeFile(join(OUT, `${name}.json`), JSON.stringify({ sums, strays, talks }, null, 1));
}

function wrongsOf({ sentences, notes }: PlayedTalk): { turn: number; text: string }[] {
  const wrong = sentences.filter(
    ({ must, fate }) => fate !== (must === "pass" ? "reached" : "dropped"),
  );
  const ofSentences = wrong.map(({ turn, must, kind, fate, say, isAgain }) => {
    const heard = `heard ${kind}${isAgain ? " in other words" : ""}`;
    return { turn, text: `${must === "pass" ? fate : heard}: ${say}` };
  });
  const others = notes.map(({ turn, what, text }) => ({ turn, text: `${what}: ${text}` }));
  return [...ofSentences, ...others].toSorted((a, b) => a.turn - b.turn);
}

/** Every turn that asked the model has one reply. */
function eventsIn({ turns }: PlayedTalk, turn: number, events: Event[]): string[] {
  const before = turns.slice(0, turn).filter(({ requests }) => requests > 0).length;
  let replies = 0;
  return events.flatMap(({ kind, detail }) => {
    const isThis = replies === before;
    replies += Number(kind === "reply");
    return isThis ? [`      ${kind} ${JSON.stringify(detail)}`] : [];
  });
}
