import type {
  Objection,
  ProspectQuestion,
  QuestionOutcome,
  TranscriptEntry,
} from "@svc/contract/types";
import { fillIn, PHRASES, RECORD } from "./phrases.ts";
import type {
  CurrentTool,
  Decider,
  Need,
  Objection as ObjectionKey,
  Person,
  Phrases,
  Question,
  Timeline,
  Unfit,
} from "./phrases.ts";

/** The plot of one conversation. */
export interface Plot {
  person: Person;
  introducesThemselves: boolean;
  /** The reason for the visit. */
  reason: { need: Need } | { unfit: Unfit };
  /** The agent puts a slide up, which splits its turn in two. */
  showsSlide: boolean;
  /** The visitor's further remarks, in order. */
  remarks: Remark[];
  /** The remark whose reply the visitor interrupts, and how much of it was heard. */
  interruption?: { remark: number; share: number };
  /** Said along the way, without being asked. */
  currentTool?: CurrentTool;
  decider?: Decider;
  /** Undefined: the agent does not come to ask. */
  monthlyVisitors?: number;
  timeline?: Timeline;
  /** Gone when the agent asks its last question. */
  leaves: boolean;
  confirmsEmail: boolean;
  /** Chooses among ways to say the same. */
  variant: number;
}

export type Remark = { question: Question } | { objection: ObjectionKey };

/** The transcript, and what an honest evaluation can conclude from it. */
export interface Conversation {
  transcript: TranscriptEntry[];
  questions: Record<QuestionKey, QuestionOutcome>;
  prospectQuestions: ProspectQuestion[];
  objections: Objection[];
  confirmedEmail: boolean;
  saidGoodbye: boolean;
}

/** The questions of the example agent. The first needs no asking: visitors begin with it. */
export type QuestionKey = "use_case" | "monthly_visitors" | "timeline";

/** Plays a plot in a language. */
export function play(plot: Plot, language: keyof typeof PHRASES): Conversation {
  const phrases: Phrases = PHRASES[language];
  const told: Conversation = {
    transcript: [],
    questions: {
      use_case: { was_asked: false, was_answered: false },
      monthly_visitors: { was_asked: false, was_answered: false },
      timeline: { was_asked: false, was_answered: false },
    },
    prospectQuestions: [],
    objections: [],
    confirmedEmail: false,
    saidGoodbye: false,
  };
  const talk = new Talk(told, asksOf(plot, language));
  const { currentTool, decider } = plot;
  const opening =
    "need" in plot.reason ? phrases.needs[plot.reason.need] : phrases.unfit[plot.reason.unfit];

  talk.agent(phrases.greeting);
  talk.visitor(
    ...(plot.introducesThemselves ? [fillIn(phrases.introduction, plot.person)] : []),
    opening.said,
    ...(currentTool === undefined ? [] : [phrases.currentTools[currentTool]]),
  );
  talk.agent(opening.reply);
  if ("need" in plot.reason) {
    told.questions.use_case = {
      was_asked: false,
      was_answered: true,
      answer: capital(RECORD.needs[plot.reason.need]),
    };
    if (plot.showsSlide) talk.agent(phrases.needs[plot.reason.need].shown);
  }

  for (const [index, remark] of plot.remarks.entries()) {
    const { said, reply } =
      "question" in remark
        ? phrases.questions[remark.question]
        : phrases.objections[remark.objection];
    talk.visitor(said);
    const share = plot.interruption?.remark === index ? plot.interruption.share : undefined;
    note(told, remark, share !== undefined);
    if (share === undefined) {
      talk.agent(reply);
      talk.ask();
    } else {
      talk.interruptAgent(heardPart(reply, share), oneOf(phrases.interruptions, plot.variant));
    }
    if (plot.leaves && talk.hasAskedAll) return told;
  }
  while (talk.asked !== undefined) {
    const { thanks } = talk.asked;
    talk.visitor();
    talk.agent(thanks);
    talk.ask();
    if (plot.leaves && talk.hasAskedAll) return told;
  }
  if (plot.confirmsEmail && !talk.isInterrupted) {
    talk.agentGoesOn(phrases.emailCard.offer);
    // Between the two the visitor confirms the card, which is no turn.
    talk.agent(phrases.emailCard.thanks);
    told.confirmedEmail = true;
  }
  talk.visitor(
    ...(decider === undefined ? [] : [phrases.deciders[decider]]),
    oneOf(phrases.goodbye.visitor, plot.variant),
  );
  told.saidGoodbye = true;
  talk.agent(phrases.goodbye.agent);
  return told;
}

interface Ask {
  about: QuestionKey;
  text: string;
  said: string;
  answer: string;
  thanks: string;
}

/** Two voices taking turns. An open question of the agent's is answered with whatever the visitor says next. */
class Talk {
  readonly #told: Conversation;
  readonly #asks: Ask[];
  asked: Ask | undefined;
  #interruption: string | undefined;

  constructor(told: Conversation, asks: Ask[]) {
    this.#told = told;
    this.#asks = asks;
  }

  get isInterrupted(): boolean {
    return this.#interruption !== undefined;
  }

  /** The last of its questions is open. */
  get hasAskedAll(): boolean {
    return this.asked !== undefined && this.#asks.length === 0;
  }

  agent(content: string): void {
    this.#told.transcript.push({ role: "assistant", content });
  }

  agentGoesOn(text: string): void {
    this.#told.transcript.at(-1)!.content += ` ${text}`;
  }

  interruptAgent(heard: string, interruption: string): void {
    this.#told.transcript.push({ role: "assistant", content: heard, interrupted: true });
    this.#interruption = interruption;
  }

  ask(): void {
    this.asked = this.#asks.shift();
    if (this.asked === undefined) return;
    this.agentGoesOn(this.asked.text);
    this.#told.questions[this.asked.about].was_asked = true;
  }

  visitor(...sentences: string[]): void {
    if (this.asked !== undefined) {
      const { about, answer, said } = this.asked;
      this.#told.questions[about] = { was_asked: true, was_answered: true, answer };
      sentences.unshift(said);
    }
    if (this.#interruption !== undefined) sentences.unshift(this.#interruption);
    this.#told.transcript.push({ role: "user", content: sentences.join(" ") });
    this.asked = this.#interruption = undefined;
  }
}

function asksOf(
  { monthlyVisitors, timeline, variant }: Plot,
  language: keyof typeof PHRASES,
): Ask[] {
  const phrases = PHRASES[language];
  const asks: Ask[] = [];
  if (monthlyVisitors !== undefined) {
    const { ask: text, said, thanks } = phrases.monthlyVisitors;
    const count = monthlyVisitors.toLocaleString(language);
    const words = fillIn(oneOf(said, variant), { count });
    const answer = `About ${monthlyVisitors.toLocaleString("en")}`;
    asks.push({ about: "monthly_visitors", text, said: words, answer, thanks });
  }
  if (timeline !== undefined) {
    const { ask: text, said, thanks } = phrases.timeline;
    const answer = RECORD.timelines[timeline];
    asks.push({ about: "timeline", text, said: said[timeline], answer, thanks });
  }
  return asks;
}

/** A reply that was not heard to its end leaves its question asked, not answered. */
function note(told: Conversation, remark: Remark, isInterrupted: boolean): void {
  if ("question" in remark) {
    const { question, answer } = RECORD.questions[remark.question];
    told.prospectQuestions.push({ question, ...(!isInterrupted && { answer }) });
  } else {
    const { objection, response } = RECORD.objections[remark.objection];
    told.objections.push({ objection, ...(!isInterrupted && { response }) });
  }
}

function heardPart(text: string, share: number): string {
  const words = text.split(" ");
  const heard = words.slice(0, Math.max(1, Math.floor(words.length * share))).join(" ");
  return heard.replace(/[\s,;:.]+$/, "");
}

function oneOf<T>(choices: T[], variant: number): T {
  return choices[variant % choices.length]!;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
