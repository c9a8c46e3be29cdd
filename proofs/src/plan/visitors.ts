import type { PlayedConversation, VisitorStep } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";
import { questionsIn } from "./judge.ts";
import { LANGUAGES, LINES } from "./lines.ts";
import type { Language } from "./lines.ts";

export const KINDS = [
  "answering",
  "chatty",
  "early",
  "hostile",
  "off_topic",
  "contradicting",
  "known to the page",
  "silent",
] as const;
export type Kind = (typeof KINDS)[number];

export interface Visitor {
  kind: Kind;
  language: Language;
  metadata: Record<string, string>;
  next(sofar: PlayedConversation): VisitorStep;
}

/** After so many turns of theirs they say goodbye. */
const PATIENCE = 12;

/** The kinds and languages in turn, so that few visitors are of all sorts. */
export function visitorOf(index: number, random: Random): Visitor {
  const kind = KINDS[index % KINDS.length]!;
  const language = LANGUAGES[Math.floor(index / KINDS.length + index) % LANGUAGES.length]!;
  const lines = LINES[language];
  let count = 0;

  function words(sofar: PlayedConversation): string | undefined {
    count += 1;
    if (kind === "silent") return count > random.integer(0, 2) ? undefined : "…";
    if (count > PATIENCE + 2) return undefined;
    if (count > PATIENCE) return lines.bye;
    if (kind === "early" && count === 1) return lines.early;
    const strange = {
      hostile: lines.hostile,
      off_topic: lines.offTopic,
      contradicting: lines.contradicts,
    };
    const own = strange[kind as keyof typeof strange];
    if (own !== undefined && random.chance(0.4)) return random.pick(own);
    if (random.chance(kind === "chatty" ? 0.6 : 0.2))
      return random.chance(0.5) ? lines.known : random.pick(lines.unknown);
    const [asked] = questionsIn(
      sofar.turns.findLast(({ role }) => role === "assistant")?.content ?? "",
    );
    return asked === undefined ? random.pick(lines.statements) : lines.answers[asked];
  }

  return {
    kind,
    language,
    metadata: kind === "known to the page" ? { ships: "3", Ready: "May" } : {},
    next(sofar) {
      if (sofar.openCard?.kind === "email" && random.chance(0.5))
        return random.chance(0.5) ? { confirms: "ada@example.com" } : "dismisses";
      const said = words(sofar);
      return said === undefined ? undefined : { says: said };
    },
  };
}
