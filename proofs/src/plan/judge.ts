import type { PlayedConversation } from "@svc/server/testing";
import { INVENTED, TOLD } from "./airship-agent.ts";
import { LINES } from "./lines.ts";
import type { QuestionKey } from "./lines.ts";
import type { Visitor } from "./visitors.ts";

/** What is wrong with a talk, read from what was heard alone. */
export interface Verdict {
  asked: number;
  askedTwice: number;
  /** After the visitor, or the page, had said it. */
  askedInVain: number;
  invented: number;
  told: number;
  rude: number;
  words: number[];
}

const ABOUT: [QuestionKey, RegExp][] = [
  ["ships", /zeppelin|zepel/iu],
  ["ready", /(?<!\p{L})(?:mast|mât|mástil)(?!\p{L})/iu],
  ["enjoy", /(?<!\p{L})(?:guests|gäste|invités|huéspedes)(?!\p{L})/iu],
];

/** Which questions a text asks. */
export function questionsIn(text: string): QuestionKey[] {
  return text
    .split(/(?<=[.!?…])\s+/u)
    .filter((sentence) => sentence.includes("?"))
    .flatMap((sentence) => ABOUT.filter(([, about]) => about.test(sentence)).map(([key]) => key));
}

const GOODBYE = /bye|wiedersehen|tschüss|au revoir|adiós|hasta/iu;

export function judge(
  visitor: Visitor,
  talk: Pick<PlayedConversation, "turns" | "ended">,
): Verdict {
  const verdict: Verdict = {
    asked: 0,
    askedTwice: 0,
    askedInVain: 0,
    invented: 0,
    told: 0,
    rude: 0,
    words: [],
  };
  const heard = new Set<QuestionKey>();
  const known = new Set<QuestionKey>(
    visitor.metadata["ships"] === undefined ? [] : ["ships", "ready"],
  );
  for (const { role, content } of talk.turns) {
    if (role === "user") {
      if (content === LINES[visitor.language].early) for (const [key] of ABOUT) known.add(key);
      continue;
    }
    verdict.words.push(content.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length);
    if (INVENTED.test(content)) verdict.invented += 1;
    if (TOLD.test(content)) verdict.told += 1;
    for (const key of questionsIn(content)) {
      verdict.asked += 1;
      if (heard.has(key)) verdict.askedTwice += 1;
      else if (known.has(key)) verdict.askedInVain += 1;
      heard.add(key);
    }
  }
  const last = talk.turns.findLast(({ role }) => role === "assistant")?.content ?? "";
  const isOver = talk.ended === "agent_ended" && GOODBYE.test(last);
  if (visitor.kind !== "silent" && !isOver) verdict.rude += 1;
  return verdict;
}
