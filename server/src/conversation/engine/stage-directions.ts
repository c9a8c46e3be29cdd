import { findShown, shownName } from "#agents";
import { normalizeEmail } from "#sessions";
import type { ConversationOptions, DemoAgent } from "../conversation.ts";
import { readDirection, readNote, TOOL_OF } from "../signals/direction.ts";
import { readOrder } from "../signals/action-order.ts";
import type { Direction } from "../signals/direction.ts";
import { canonicalLanguage } from "../state/past.ts";
import type { DemoState } from "../state/demo-state.ts";
import type { Cards } from "./cards.ts";
import type { PageActions } from "./page-actions.ts";

export interface StageDirectionsOptions extends Pick<ConversationOptions, "listener" | "metadata"> {
  agent: DemoAgent;
  state: DemoState;
  cards: Cards;
  actions: PageActions;
}

/** Where a direction takes effect. */
export interface DirectionPlace {
  turn: string;
  onGoodbye(): void;
}

/** Carries out what a model directs. It proposes, the server decides: what a visitor talked it into is refused. */
export class StageDirections {
  readonly #options: StageDirectionsOptions;

  constructor(options: StageDirectionsOptions) {
    this.#options = options;
  }

  /** Called when the word was heard that the direction belongs to. Returns whether it was carried out. */
  perform(direction: Direction, place: DirectionPlace): boolean {
    const { listener } = this.#options;
    const { name, value } = direction;
    if (name === "=") return true;
    const refused = this.#forbids(direction) ?? this.#do(direction, place);
    // What the visitor said is in the transcript, and an address in the card's own event.
    const shown = name === "got" ? readNote(value)?.key : name === "email" ? undefined : value;
    listener.event("direction", {
      name,
      ...(shown !== undefined && shown !== "" && { value: shown.slice(0, LONGEST_TOLD) }),
      done: refused === undefined,
      ...(refused !== undefined && { why: refused }),
    });
    return refused === undefined;
  }

  /** A model that repeats what the visitor or the page wrote gives no direction of its own. */
  #forbids({ name, value }: Direction): string | undefined {
    const { agent } = this.#options;
    const tool = TOOL_OF[name];
    if (tool !== undefined && !agent.config.tools.includes(tool)) return "not allowed";
    const isTheirs = this.#written(name).some(
      (one) => one?.name === name && isSame(name, one.value, value),
    );
    return isTheirs ? "the visitor wrote it" : undefined;
  }

  /**
   * The directions in what the model reads and the visitor's browser may have written, a link's parameters too. Only an
   * action is refused for good: who once wrote "[[bye]]" can still be let go.
   */
  #written(name: Direction["name"]): (Direction | undefined)[] {
    const { state, metadata, actions } = this.#options;
    const turns = name === "do" ? state.visitorSaid : state.visitorSaid.slice(-1);
    const texts = [
      ...turns.map(({ text }) => text),
      ...Object.entries(metadata).flat(),
      ...Object.values(actions.results),
    ];
    return texts.flatMap((text) =>
      [...text.matchAll(WRITTEN_MARK)].map(([, inside = ""]) => readDirection(inside)),
    );
  }

  /** Returns why it is refused. */
  #do({ name, value }: Direction, { turn, onGoodbye }: DirectionPlace): string | undefined {
    const { agent, state, cards, listener } = this.#options;
    const { content, person } = agent.config;
    switch (name) {
      case "got": {
        const note = readNote(value);
        const isNoted = note !== undefined && state.noteAnswer(note.key, note.quote);
        return isNoted ? undefined : "the visitor did not say these words";
      }
      case "ask":
        return state.questionHeard(value, turn) ? undefined : "no such question";
      case "show": {
        const found = findShown(content, value);
        if (found === undefined) return "no such content";
        const shown = shownName(found.content.id, found.step?.at);
        listener.content(shown);
        state.contentShown(shown);
        return undefined;
      }
      case "do":
        return this.#options.actions.order(value);
      case "email":
        return this.#openEmail(value);
      case "person":
        if (person === undefined) return "there is no way to a person";
        cards.openPerson(person);
        return undefined;
      case "language":
        return this.#speak(value);
      case "bye":
        onGoodbye();
        return undefined;
      // It changes nothing for the visitor: the record tells the owner what to write.
      case "unknown":
      case "=":
        return undefined;
    }
  }

  #openEmail(prefill: string): string | undefined {
    const { state, cards } = this.#options;
    const address = normalizeEmail(prefill);
    // An address that the visitor did not say is somebody else's.
    const isTheirs = address !== undefined && state.wasAddressSaid(address);
    const said = isTheirs ? address : state.addressSaid;
    if (state.told.email === "confirmed" && said === undefined) return "the address is known";
    cards.openEmail(said);
    state.emailCard("open");
    return undefined;
  }

  #speak(code: string): string | undefined {
    const { state, listener } = this.#options;
    const language = canonicalLanguage(code);
    if (language === undefined) return "no such language";
    if (language === state.language) return undefined;
    state.language = language;
    listener.language(language);
    return undefined;
  }
}

const LONGEST_TOLD = 100;

/** The same action with parameters that are written otherwise is still the visitor's. */
function isSame(name: Direction["name"], one: string, other: string): boolean {
  return name === "do" ? readOrder(one)?.name === readOrder(other)?.name : one === other;
}

/** A direction in a visitor's words, in the brackets that people would use for it. */
const WRITTEN_MARK = /(?:⟦|\[\[|［+)([^⟦⟧[\]［］]{1,400})(?:⟧|\]\]|］+)/gu;
