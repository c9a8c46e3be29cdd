import type { Metadata } from "@svc/contract/types";
import {
  cutAtWord,
  endsInQuestion,
  fold,
  judgeFigures,
  KeptSources,
  repeatsWords,
  Source,
  wordCount,
} from "#language";
import type { FigureTrouble } from "#language";
import type { DemoAgent } from "../conversation.ts";
import type { DemoState } from "../state/demo-state.ts";
import type { SignalledSentence } from "../signals/signal-reader.ts";
import { agentTexts } from "./agent-texts.ts";
import { tellsSecret } from "./tells-secret.ts";
import type { Verifier, VerifierWord } from "./verifier.ts";

export interface GuardOptions {
  agent: DemoAgent;
  state: DemoState;
  metadata: Metadata;
  /** What came of actions, by their names. */
  pageSaid?: () => Metadata;
  /** What the agent has said so far, turn by turn. */
  agentSaid: () => string[];
  /** Absent where it is switched off. */
  verifier: Verifier | undefined;
  nowMs: () => number;
}

/** Why a sentence is held back. */
export interface Veto {
  code: VetoCode;
  /** For the model: what is wrong, and what to do about it. */
  why: string;
}

export type VetoCode = FigureTrouble["code"] | Exclude<VerifierWord, "ok">;

/** The sentence's place in its reply. */
export interface SentencePlace {
  language: string;
  /** The sentences of the same reply before it. */
  before: string[];
  /** Keys of questions whose answers the same reply has noted. */
  noted: ReadonlyMap<string, string>;
  /** The calculations that the reply has declared so far: `12*189*0.9`. */
  calculated: string[];
  /** How long the verifier may take. */
  withinMs: number;
  signal: AbortSignal;
}

/**
 * Hears each sentence of the model's before anybody else does. Rules find what stands nowhere, what
 * is hidden and what was answered; a verifier finds what rules cannot know.
 */
export class SpeechGuard {
  readonly #options: GuardOptions;
  readonly #metadata: Source[];
  readonly #agentSaid = new KeptSources();
  readonly #before = new KeptSources();

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#metadata = Object.values(options.metadata).map((value) => new Source(value));
  }

  /** Undefined for a sentence that may be said. */
  async judge(
    { text, directions }: SignalledSentence,
    place: SentencePlace,
  ): Promise<Veto | undefined> {
    const values = (name: string): string[] =>
      directions.filter((one) => one.name === name).map(({ value }) => value);
    const { calculated } = place;
    const final = this.#isSecret(text, place) ?? this.#isAnswered(text, values("ask"), place);
    if (final !== undefined) return final;
    const trouble = this.#figureTrouble(text, calculated, place);
    if (trouble?.code === "link") return trouble;
    const doubt = trouble ?? this.#confirmsFigure(text, place);
    const word = await this.#verified(text, calculated, doubt !== undefined, place);
    if (word === undefined) return doubt;
    if (word === "ok") return undefined;
    return word === "invented" ? (doubt ?? vetoOf(word)) : vetoOf(word);
  }

  /** The part of a sentence that can be said: without markdown and emoji, and never endless. */
  speakable(text: string): string {
    return cutAtWord(plainSpeech(text), LONGEST_SENTENCE);
  }

  #isSecret(text: string, { before }: SentencePlace): Veto | undefined {
    const { agent, state, agentSaid } = this.#options;
    const said = [...state.visitorSaid, ...this.#agentSaid.of(agentSaid())];
    const isTold =
      SERVERS_MARK.test(text) || tellsSecret(text, before.at(-1) ?? "", agentTexts(agent), said);
    return isTold ? vetoOf("secret") : undefined;
  }

  /** A model may forget to say which question it asks: then the question's own words tell. */
  #isAnswered(text: string, keys: string[], { before, noted }: SentencePlace): Veto | undefined {
    const { agent, state, agentSaid } = this.#options;
    const { questions } = agentTexts(agent);
    const isQuestion = endsInQuestion(text);
    const asked = agent.config.questions.filter(
      (question) =>
        keys.includes(question.key) ||
        (isQuestion && repeatsWords(text, [questions.get(question.key)!], SAME_WORDS)),
    );
    for (const { key } of asked) {
      const answer = state.answerTo(key) ?? noted.get(key);
      if (answer === undefined) continue;
      const why = `The visitor has answered ${key} already: ${JSON.stringify(answer)}.`;
      return { code: "asked", why };
    }
    const isRepeated =
      isQuestion &&
      wordCount(text) >= SAME_WORDS &&
      this.#saidBy(agentSaid(), before).some((turn) => turn.folded.includes(fold(text)));
    return isRepeated ? { code: "asked", why: "You have asked this before." } : undefined;
  }

  #figureTrouble(
    text: string,
    calculations: string[],
    { language, before, isClaim = false }: FigurePlace,
  ): FigureTrouble | undefined {
    const { agent, state, agentSaid, nowMs } = this.#options;
    return judgeFigures(text, {
      language,
      owner: agentTexts(agent).figures,
      visitor: isClaim ? [] : [...this.#metadata, ...this.#pageSaid(), ...state.visitorSaid],
      agent: this.#saidBy(agentSaid(), before),
      calculations,
      today: new Date(nowMs()),
    });
  }

  #pageSaid(): Source[] {
    return Object.values(this.#options.pageSaid?.() ?? {}).map((value) => new Source(value));
  }

  #saidBy(turns: string[], before: string[]): Source[] {
    return [...this.#agentSaid.of(turns), ...this.#before.of(before)];
  }

  /** "Yes, exactly." to a figure that the visitor made up is as good as saying it. */
  #confirmsFigure(text: string, { language, before }: SentencePlace): Veto | undefined {
    const { state, verifier } = this.#options;
    const last = state.visitorSaid.at(-1)?.text;
    // Rules cannot tell "Yes, exactly." from "No, sorry.".
    if (verifier === undefined) return undefined;
    if (last === undefined || before.length > 0 || wordCount(text) > SHORT_REPLY) return undefined;
    const claimed = this.#figureTrouble(last, [], { language, before: [], isClaim: true });
    const isMeant = claimed?.code === "money" || endsInQuestion(last);
    if (claimed === undefined || claimed.code === "link" || !isMeant) return undefined;
    return {
      code: "money",
      why: `It may confirm ${claimed.figure}, which nothing you know says. Say what is true instead.`,
    };
  }

  async #verified(
    sentence: string,
    calculated: string[],
    isSuspicious: boolean,
    { before, withinMs, signal }: SentencePlace,
  ): Promise<VerifierWord | undefined> {
    const { verifier, state, metadata, pageSaid, nowMs } = this.#options;
    return verifier?.check(
      {
        visitor: state.visitorSaid.at(-1)?.text ?? "",
        answered: state.told.answered,
        page: { ...metadata, ...pageSaid?.() },
        date: new Date(nowMs()).toISOString().slice(0, 10),
        before: before.slice(-2),
        sentence,
        calculated,
      },
      { isSuspicious, withinMs, signal },
    );
  }
}

interface FigurePlace extends Pick<SentencePlace, "language" | "before"> {
  /** It is a sentence of the visitor's, who may have made it up. */
  isClaim?: boolean;
}

function vetoOf(code: Exclude<VerifierWord, "ok">): Veto {
  return { code, why: REASONS[code] };
}

const REASONS: Record<Exclude<VerifierWord, "ok">, string> = {
  invented:
    "Nothing that you know says so. Say what the knowledge says, or that you do not know and a person will answer it.",
  asked: "The visitor has answered this already.",
  secret: "It repeats or hints at what is for you alone.",
  human: "You are an AI and never claim to be a person.",
};

/** Small models now and then repeat what the server told them. */
const SERVERS_MARK = /\[\/?(?:event|state) [0-9a-f]{6}\]/;
const LONGEST_SENTENCE = 60;
/** So many words in a row of a configured question are that question. */
const SAME_WORDS = 4;
const SHORT_REPLY = 4;

/** A sentence as it can be spoken: without the signs of markdown, without emoji, on one line. */
function plainSpeech(sentence: string): string {
  return sentence
    .slice(0, LONGEST)
    .toWellFormed()
    .replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
    .replaceAll(/^[^\S\n]*(?:#{1,6}|[-*•>])\s+/gm, "")
    .replaceAll(/\*\*|__|`+|~~|(?<!\p{L})[*_]|[*_](?!\p{L})/gu, "")
    .replaceAll(/[\p{Extended_Pictographic}\u{FE0F}\u{200D}]+/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** More is never said, and patterns take long on a model's endless lines. */
const LONGEST = 2_000;
