import type { LivePlaceResult, Metadata } from "@svc/contract/types";
import { readShownName } from "#agents";
import { fold, Source } from "#language";
import { normalizeEmail } from "#sessions";
import type { ConversationOptions, DemoAgent } from "../conversation.ts";
import { readPast } from "./past.ts";
import type { EmailCardState } from "./past.ts";

export interface DemoStateOptions extends Pick<ConversationOptions, "before" | "history" | "past"> {
  metadata: Metadata;
  language: string;
  mailFollows?: boolean | undefined;
  /** For the operator's log, from which `past` is read again. */
  tell?: (kind: string, detail: Record<string, unknown>) => void;
}

/** What a demo has reached, as the model is told it. */
export interface ToldState {
  language: string;
  /** Keys of the questions that nobody has asked or answered, in the order of asking. */
  open: string[];
  /** Heard, and not answered yet. */
  asked: string[];
  /** What the visitor said in answer, or what the page told. */
  answered: Record<string, string>;
  /** Ids of the content that was shown; of a tour with the step at which it stands, `booking/2`. */
  shown: string[];
  /** Places that the visitor did not see, and why. Absent where there are none. */
  not_shown?: Record<string, UnseenPlace>;
  /** `none`: nobody has asked for an address. */
  email: "none" | "open" | "confirmed" | "declined";
  /** `follows`: a mail is sent after the conversation, once there is a confirmed address. */
  mail: "follows" | "none";
}

/** `missing`: the page has no such place now. `declined`: the visitor wanted to stay on their page. */
type UnseenPlace = "missing" | "declined";

/** The facts of a demo in progress. The server keeps them, so that they hold whatever a model remembers. */
export class DemoState {
  /** The one that the agent speaks. */
  language: string;
  readonly #questions: DemoAgent["config"]["questions"];
  readonly #asked = new Set<string>();
  readonly #answered = new Map<string, string>();
  /** What the model is told of each, by its id. */
  readonly #shown = new Map<string, string>();
  readonly #unseen = new Map<string, UnseenPlace>();
  readonly #visitorSaid: Source[] = [];
  #email: ToldState["email"] = "none";
  /** Confirmed. Empty where it was confirmed in an earlier part that did not say which. */
  #address: string | undefined;
  #addressSaid: string | undefined;
  #mailFollows: boolean;
  readonly #tell: NonNullable<DemoStateOptions["tell"]>;

  constructor({ config }: DemoAgent, options: DemoStateOptions) {
    const { metadata, language, mailFollows = false, history = [], past = [] } = options;
    this.#questions = config.questions;
    this.#mailFollows = mailFollows;
    this.#tell = options.tell ?? (() => {});
    this.#address = normalizeEmail(metadata["email"] ?? "");
    if (this.#address !== undefined) this.#email = "confirmed";
    this.#readPage(metadata);
    const { before } = options;
    for (const { role, content } of before?.turns ?? [])
      if (role === "user") this.heardVisitor(content);
    this.#addressSaid = undefined;
    for (const { role, content } of history) if (role === "user") this.heardVisitor(content);
    const {
      shown,
      emailCards,
      heard,
      answered,
      language: followed,
    } = readPast([...(before?.events.filter(({ kind }) => OUTLASTING.has(kind)) ?? []), ...past]);
    this.language = followed ?? language;
    for (const { id, state } of shown) this.#place(id, state);
    for (const state of emailCards) this.#setEmail(state);
    for (const key of heard) this.#asked.add(key);
    for (const key of answered) this.#answered.set(key, this.#answered.get(key) ?? EARLIER);
  }

  heardVisitor(text: string): void {
    this.#visitorSaid.push(new Source(text));
    const written = normalizeEmail(lastAddress(text));
    this.#addressSaid = written === this.#address ? undefined : written;
  }

  /** Everything that the visitor said. */
  get visitorSaid(): Source[] {
    return this.#visitorSaid;
  }

  questionHeard(key: string, turn: string): boolean {
    if (!this.#has(key)) return false;
    if (!this.#asked.has(key)) this.#tell("question_heard", { key, turn });
    this.#asked.add(key);
    return true;
  }

  /** False, and nothing is noted, when the visitor never said these words. */
  noteAnswer(key: string, quote: string): boolean {
    if (!this.#has(key) || !this.#visitorSaid.some((turn) => turn.says(quote))) return false;
    if (!this.#answered.has(key)) this.#tell("question_answered", { key, by: "quote" });
    this.#answered.set(key, quote);
    return true;
  }

  /** What the visitor answered to a question; undefined for one that is not answered. */
  answerTo(key: string): string | undefined {
    return this.#answered.get(key);
  }

  contentShown(name: string): void {
    this.#place(name, "shown");
    this.#tell("content_shown", { id: name });
  }

  /** The visitor went to a step of a tour. */
  visitorShowed(name: string): void {
    this.#place(name, "shown");
  }

  wasShown(id: string): boolean {
    return this.#shown.has(id);
  }

  /** What the visitor's browser made of a place. */
  settlePlace(id: string, state: LivePlaceResult["state"]): void {
    this.#place(id, state);
    this.#tell("place", { id, state });
  }

  #place(name: string, state: LivePlaceResult["state"]): void {
    const { id } = readShownName(name);
    if (state === "gone") return;
    if (state === "shown") {
      this.#shown.set(id, name);
      this.#unseen.delete(id);
    } else {
      this.#shown.delete(id);
      this.#unseen.set(id, state);
    }
  }

  /** With `open`, the address is the confirmed one that the visitor is asked about once more. */
  emailCard(
    state: "open" | "confirmed" | "declined",
    { address, mailFollows = this.#mailFollows }: { address?: string; mailFollows?: boolean } = {},
  ): void {
    this.#setEmail(state, address);
    this.#mailFollows = mailFollows;
    const isKept = state === "declined" && this.#email === "confirmed";
    this.#tell("email_card", { state: isKept ? "kept" : state });
    if (state !== "open") this.#addressSaid = undefined;
  }

  /** Written in the visitor's last turn, unless they settled a card since, or have confirmed it: that is not said anew. */
  get addressSaid(): string | undefined {
    return this.#addressSaid;
  }

  /** The visitor said it in one turn, and has not confirmed it: also letter by letter, or as "ada at example dot com". */
  wasAddressSaid(address: string): boolean {
    return address !== this.#address && this.#visitorSaid.some((turn) => spells(turn, address));
  }

  get told(): ToldState {
    const keys = this.#questions.map(({ key }) => key);
    return {
      language: this.language,
      open: keys.filter((key) => !this.#asked.has(key) && !this.#answered.has(key)),
      asked: keys.filter((key) => this.#asked.has(key) && !this.#answered.has(key)),
      answered: Object.fromEntries(this.#answered),
      shown: [...this.#shown.values()],
      ...(this.#unseen.size > 0 && { not_shown: Object.fromEntries(this.#unseen) }),
      email: this.#email,
      mail: this.#mailFollows ? "follows" : "none",
    };
  }

  #has(key: string): boolean {
    return this.#questions.some((question) => question.key === key);
  }

  /** A page that knows an answer has it under the question's key: `monthlyVisitors` answers `monthly_visitors`. */
  #readPage(metadata: Metadata): void {
    for (const [name, value] of Object.entries(metadata)) {
      const question = this.#questions.find(({ key }) => plain(key) === plain(name));
      if (question !== undefined && !EMPTY.has(value.trim()))
        this.#answered.set(question.key, value);
    }
  }

  /** Who closes a card that was to correct an address keeps the one they had. */
  #setEmail(state: EmailCardState, address?: string): void {
    if (state === "confirmed" || address !== undefined)
      this.#address = address ?? this.#address ?? "";
    const isKept = state === "kept" || (state === "declined" && this.#address !== undefined);
    this.#email = isKept ? "confirmed" : state;
  }
}

/** What stays true in the next conversation. Its screen is empty, and its address is confirmed anew. */
const OUTLASTING: ReadonlySet<string> = new Set([
  "question_heard",
  "question_answered",
  "direction",
]);

/** For an answer of an earlier part of the conversation: its words stand in the history. */
const EARLIER = "(earlier in this conversation)";

/** What a page passes for something that it does not know: null and the like arrive encoded. */
const EMPTY = new Set(["", "null", "[]", "{}"]);

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** The last one counts: a visitor may have corrected themselves. Empty where there is none. */
function lastAddress(text: string): string {
  const words = text.match(/[^\s<>"“”„«»(),;:]+/gu) ?? [];
  const address = words.findLast((word) => /[^@]@[^@]/u.test(word)) ?? "";
  return address.replace(/(?<=\p{L})\P{L}+$/u, "");
}

/** Whether a text has the parts of an address in their order, whatever stands between them. */
function spells({ letters }: Source, address: string): boolean {
  let at = 0;
  return fold(address)
    .trim()
    .split(" ")
    .every((part) => {
      const found = letters.indexOf(part, at);
      at = found + part.length;
      return found >= 0;
    });
}
