import type { ConversationModels, PlayedConversation, VisitorStep } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";
import {
  GOODBYE,
  INVENTED,
  LANGUAGES,
  LINES,
  QUESTIONS,
  questionsIn,
  sentencesOf,
  TOLD,
} from "./airship-agent.ts";
import type { Language, QuestionKey } from "./airship-agent.ts";

export const KINDS = [
  "answering",
  "chatty",
  "early",
  "hostile",
  "offTopic",
  "contradicts",
  "known to the page",
  "silent",
] as const;

export interface Visitor {
  kind: (typeof KINDS)[number];
  language: Language;
  metadata: Record<string, string>;
  next(sofar: PlayedConversation): VisitorStep;
}

/** After this many turns of theirs, visitors say goodbye. */
const PATIENCE = 12;

/** Takes the kinds and languages in turn, so that few visitors are of all sorts. */
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
    const isStrange = kind === "hostile" || kind === "offTopic" || kind === "contradicts";
    if (isStrange && random.chance(0.4)) return random.pick(sentencesOf(lines[kind]));
    if (random.chance(kind === "chatty" ? 0.6 : 0.2))
      return random.chance(0.5) ? lines.known : random.pick(sentencesOf(lines.unknown));
    const heard = sofar.turns.findLast(({ role }) => role === "assistant")?.content ?? "";
    const [asked] = questionsIn(heard);
    return asked === undefined ? random.pick(sentencesOf(lines.statements)) : lines.answers[asked];
  }

  return {
    kind,
    language,
    metadata: kind === "known to the page" ? { ships: "3", Ready: "May" } : {},
    next(sofar) {
      if (sofar.openCard?.kind === "email" && random.chance(0.5))
        return random.chance(0.5) ? { confirms: "ada@example.com" } : "dismisses";
      const says = words(sofar);
      return says === undefined ? undefined : { says };
    },
  };
}

export interface HostOptions {
  models: ConversationModels;
  language: Language;
  /** The model forgets what it asked, makes things up and does not stop talking. */
  isCareless: boolean;
  random: Random;
  /** Gets what the model itself said in each request. */
  onSaid(text: string): void;
}

/**
 * The stand-in as a model that listens, in the visitor's own language: it asks in words of its own,
 * and it notes an answer that comes early.
 */
export function hostModel(options: HostOptions): ConversationModels {
  const { models, isCareless, random, onSaid } = options;
  const lines = LINES[options.language];
  const wording = (key: QuestionKey): string => random.pick(sentencesOf(lines.asks[key]));
  return {
    get answers() {
      return models.answers;
    },
    async reply(request) {
      const said: string[] = [];
      const say = (sentence: string): void => {
        said.push(sentence);
        request.onSentence(sentence);
      };
      const visitorSaid = request.messages.findLast(({ role }) => role === "user")?.content;
      const isFirstStep = request.messages.at(-2)?.role === "user";
      if (isFirstStep && visitorSaid === lines.early && request.toolChoice === "auto") {
        for (const [index, question] of QUESTIONS.entries()) {
          const args = JSON.stringify({ question, quote: lines.early });
          request.onToolCall({ id: `early-${index}`, name: "note_answer", args });
        }
      }
      await models.reply({
        ...request,
        onSentence: (sentence) => {
          const [key] = questionsIn(sentence);
          say(key === undefined ? sentence : wording(key));
          if (isCareless && said.length === 1 && random.chance(0.3))
            say(random.pick(sentencesOf(lines.invented)));
        },
      });
      if (isCareless) {
        if (random.chance(0.6)) say(wording(random.pick(QUESTIONS)));
        if (random.chance(0.4)) for (const ramble of sentencesOf(lines.rambles)) say(ramble);
      }
      onSaid(said.join(" "));
    },
  };
}

/** What is wrong with a talk, read from what was heard alone. */
export interface Verdict {
  asked: number;
  askedTwice: number;
  /** After the visitor, or the page, had said it. */
  askedInVain: number;
  invented: number;
  told: number;
  rude: number;
  /** Of each turn. */
  words: number[];
}

export function judgeTalk(
  visitor: Visitor,
  { turns, ended }: Pick<PlayedConversation, "turns" | "ended">,
): Verdict {
  const verdict = { asked: 0, askedTwice: 0, askedInVain: 0, invented: 0, told: 0, rude: 0 };
  const words: number[] = [];
  const heard = new Set<QuestionKey>();
  const known = new Set<QuestionKey>(
    visitor.kind === "known to the page" ? ["ships", "ready"] : [],
  );
  for (const { role, content } of turns) {
    if (role === "user") {
      if (content === LINES[visitor.language].early) for (const key of QUESTIONS) known.add(key);
      continue;
    }
    words.push(content.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length);
    if (INVENTED.test(content)) verdict.invented += 1;
    if (TOLD.test(content)) verdict.told += 1;
    for (const key of questionsIn(content)) {
      verdict.asked += 1;
      if (heard.has(key)) verdict.askedTwice += 1;
      else if (known.has(key)) verdict.askedInVain += 1;
      heard.add(key);
    }
  }
  const last = turns.findLast(({ role }) => role === "assistant")?.content ?? "";
  const isOver = ended === "agent_ended" && GOODBYE.test(last);
  if (visitor.kind !== "silent" && !isOver) verdict.rude += 1;
  return { ...verdict, words };
}
