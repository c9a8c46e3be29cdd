import type {
  ConversationModels,
  PlayedConversation,
  ReplyRequest,
  SignalledSentence,
  VisitorStep,
} from "@svc/server/testing";
import type { Random } from "@svc/tools/random";
import {
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
  visitor: Visitor;
  /** The model forgets what it asked, makes things up and does not stop talking. */
  isCareless: boolean;
  random: Random;
  /** What has happened so far. */
  sofar: () => PlayedConversation | undefined;
}

/**
 * The stand-in as a model that listens, in the visitor's own language: it asks in words of its own,
 * and it notes an answer that comes early. It keeps its own record of what was heard of its words, and
 * compares the state that it is told with that.
 */
export class Host {
  /** What the model itself said in each request. */
  readonly raw: string[] = [];
  /** Where the state was not what had happened. */
  readonly wronglyTold: string[] = [];
  statesTold = 0;
  /** What the model wanted, and from which turn on it may have been heard. */
  readonly #wanted: { sentence: SignalledSentence; turns: number }[] = [];
  readonly #options: HostOptions;

  constructor(options: HostOptions) {
    this.#options = options;
  }

  get models(): ConversationModels {
    return { answers: true, reply: (request) => this.#reply(request) };
  }

  async #reply(request: ReplyRequest): Promise<void> {
    const { models, visitor, isCareless, random } = this.#options;
    const lines = LINES[visitor.language];
    const wording = (key: string): string =>
      random.pick(sentencesOf(lines.asks[key as QuestionKey]));
    const said = request.messages.findLast(({ role }) => role === "user")?.content ?? "";
    // A second try is told in the middle of a turn, of which this record knows nothing yet.
    if (!said.includes("] Not said: ")) this.#checkState(said);
    const raw: string[] = [];
    const turns = this.#options.sofar()?.turns.length ?? 0;
    const say = (text: string, ...directions: [name: string, value: string][]): void => {
      const marks = directions.map(([name, value]) => ({ name, value, at: 0 }));
      const sentence = { text, directions: marks } as SignalledSentence;
      raw.push(text);
      this.#wanted.push({ sentence, turns });
      request.onSentence(sentence);
    };
    await models.reply({
      ...request,
      onSentence: ({ text, directions }) => {
        const own = directions.map(({ name, value }): [string, string] => [name, value]);
        if (raw.length === 0 && said.startsWith(lines.early))
          for (const key of QUESTIONS) own.unshift(["got", `${key}: ${lines.early}`]);
        const [, asked] = own.find(([name]) => name === "ask") ?? [];
        say(asked === undefined ? text : wording(asked), ...own);
        if (isCareless && raw.length === 1 && random.chance(0.3))
          say(random.pick(sentencesOf(lines.invented)));
      },
    });
    if (isCareless) {
      const key = random.pick(QUESTIONS);
      const rambles = sentencesOf(lines.rambles);
      if (random.chance(0.3))
        for (const ramble of [...rambles, ...rambles, ...rambles]) say(ramble);
      // Who asks does not leave, whatever the model directs.
      if (random.chance(0.6))
        say(
          wording(key),
          ["ask", key],
          ...(random.chance(0.2) ? [["bye", ""] as [string, string]] : []),
        );
    }
    this.raw.push(raw.join(" "));
  }

  /** The directions of sentences that the visitor heard. */
  #heard(direction: string): string[] {
    const turns = this.#options.sofar()?.turns ?? [];
    return this.#wanted
      .filter(({ sentence, turns: before }) =>
        turns
          .slice(before)
          .some(({ role, content }) => role === "assistant" && content.includes(sentence.text)),
      )
      .flatMap(({ sentence }) => sentence.directions)
      .filter(({ name }) => name === direction)
      .map(({ value }) => value);
  }

  /** It was said in the last turn, which asks nothing. */
  get hasSaidGoodbye(): boolean {
    const last = this.#options.sofar()?.turns.at(-1)?.content ?? "";
    const isLast = ({ sentence }: { sentence: SignalledSentence }): boolean =>
      last.includes(sentence.text) && sentence.directions.some(({ name }) => name === "bye");
    return this.#wanted.some(isLast) && !/\?\s*$/u.test(last);
  }

  /** Keys of what the page knew, and of what a heard sentence noted. */
  get answered(): Set<string> {
    const noted = this.#heard("got").map((value) => value.split(":", 1)[0]!);
    const { kind } = this.#options.visitor;
    return new Set([...(kind === "known to the page" ? ["ships", "ready"] : []), ...noted]);
  }

  #checkState(message: string): void {
    const json = /\n\[state [0-9a-f]{6}\]\n(?<json>\{.*\})\n\[\/state [0-9a-f]{6}\]$/.exec(message);
    const told = JSON.parse(json?.groups?.["json"] ?? "{}") as {
      open?: string[];
      asked?: string[];
      answered?: Record<string, string>;
    };
    const { answered } = this;
    const asked = new Set(this.#heard("ask"));
    const expected = {
      open: QUESTIONS.filter((key) => !asked.has(key) && !answered.has(key)),
      asked: QUESTIONS.filter((key) => asked.has(key) && !answered.has(key)),
      answered: QUESTIONS.filter((key) => answered.has(key)),
    };
    const got = {
      open: told.open,
      asked: told.asked,
      answered: QUESTIONS.filter((key) => key in (told.answered ?? {})),
    };
    this.statesTold += 1;
    if (JSON.stringify(got) !== JSON.stringify(expected))
      this.wronglyTold.push(`told ${JSON.stringify(got)}, happened ${JSON.stringify(expected)}`);
  }
}

/** What is wrong with a talk, read from what was heard alone. */
export interface Verdict {
  asked: number;
  /** In the same words. */
  askedTwice: number;
  /** After the visitor, or the page, had said it. */
  askedInVain: number;
  invented: number;
  told: number;
  /** Ended before the visitor's goodbye, or not ended after it though nothing was asked. */
  rude: number;
  /** Turns that went on behind the sentence that fills them. */
  endless: number;
}

/** So many words may a turn have in text; the sentence that reaches them is its last. */
export const MOST_WORDS = 90;

export function judgeTalk(
  visitor: Visitor,
  { turns, ended }: Pick<PlayedConversation, "turns" | "ended">,
): Verdict {
  const lines = LINES[visitor.language];
  const verdict = {
    asked: 0,
    askedTwice: 0,
    askedInVain: 0,
    invented: 0,
    told: 0,
    rude: 0,
    endless: 0,
  };
  const heard = new Set<string>();
  const known = new Set<QuestionKey>(
    visitor.kind === "known to the page" ? ["ships", "ready"] : [],
  );
  for (const { role, content } of turns) {
    if (role === "user") {
      if (content === lines.early) for (const key of QUESTIONS) known.add(key);
      continue;
    }
    const sentences = content.split(/(?<=[.!?…])\s+/u);
    if (wordCount(sentences.slice(0, -1).join(" ")) >= MOST_WORDS) verdict.endless += 1;
    if (INVENTED.test(content)) verdict.invented += 1;
    if (TOLD.test(content)) verdict.told += 1;
    for (const sentence of sentences)
      for (const key of questionsIn(sentence)) {
        verdict.asked += 1;
        if (heard.has(sentence)) verdict.askedTwice += 1;
        if (known.has(key)) verdict.askedInVain += 1;
        heard.add(sentence);
      }
  }
  const isParting = turns.some(({ role, content }) => role === "user" && content === lines.bye);
  // A careless model may ask something behind its goodbye: then it is the visitor's turn.
  const isAsked = /\?\s*$/u.test(turns.at(-1)?.content ?? "");
  const isRight = ended === "agent_ended" ? isParting : ended === undefined && isAsked;
  if (visitor.kind !== "silent" && !isRight) verdict.rude += 1;
  return verdict;
}

function wordCount(text: string): number {
  return text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
