import { matchLanguage } from "#agents";
import type { ConfigAction } from "#agents";
import { newUuid } from "#platform";
import type { ActionParams, LiveActionCard, LiveActionResult } from "@svc/contract/types";
import { z } from "zod";
import type { ConversationOptions } from "../conversation.ts";
import { checkParams, readOrder } from "../signals/action-order.ts";

/**
 * `asked`: the visitor has a card before them. `gone`: nobody knows what became of it, because the page has changed or has
 * not answered. The others are as the browser tells them.
 */
export type ActionState = LiveActionResult["state"] | "asked" | "started" | "declined" | "gone";

/** What a model is told of actions. */
export interface ToldActions {
  /** Those that the visitor's page offers now. */
  offered: string[];
  /** What became of each the last time. `result` is what the page said: data. */
  last?: Record<string, { state: ActionState; result?: string }>;
}

export interface PageActionsOptions extends Pick<
  ConversationOptions,
  "agent" | "listener" | "clock" | "past"
> {
  language: () => string;
  /** Opens a card that asks the visitor. */
  ask: (action: Pick<LiveActionCard, "name" | "title" | "params">) => void;
  /** It is over, and there is something to say about it. */
  onSettled: (name: string) => void;
}

/** A page answers within 10 seconds, or says that it has not. */
const ANSWERS_WITHIN_MS = 15_000;
const LONGEST_RESULT = 300;
const MINUTE_MS = 60_000;

/**
 * What the agent has the visitor's page do. The model proposes: only what its version declares, what the page offers and
 * what fits the declared parameters is done, so often a minute, and where the owner wants it only after the visitor's yes.
 */
export class PageActions {
  readonly #options: PageActionsOptions;
  readonly #declared: ReadonlyMap<string, ConfigAction>;
  #offered: string[] = [];
  readonly #last = new Map<string, { state: ActionState; result?: string }>();
  /** When each was asked for lately. */
  readonly #askedMs = new Map<string, number[]>();
  /** Sent to the page, and not answered. */
  readonly #running = new Map<string, { name: string; wasAsked: boolean; timer: NodeJS.Timeout }>();

  constructor(options: PageActionsOptions) {
    this.#options = options;
    this.#declared = new Map(options.agent.config.actions?.map((one) => [one.id, one]));
    for (const event of options.past ?? []) {
      const { data } = loggedAction.safeParse(event);
      if (data !== undefined) this.#last.set(data.detail.name, { state: data.detail.state });
    }
    // The process before has started it, and cannot be asked any more.
    for (const [name, { state }] of this.#last)
      if (state === "started") this.#last.set(name, { state: "gone" });
  }

  /** Undefined for an agent without actions. */
  get told(): ToldActions | undefined {
    if (this.#declared.size === 0) return undefined;
    return {
      offered: this.#offered,
      ...(this.#last.size > 0 && { last: Object.fromEntries(this.#last) }),
    };
  }

  /** What pages have said of actions, by their names. */
  get results(): Record<string, string> {
    return Object.fromEntries(
      [...this.#last].flatMap(([name, { result }]) =>
        result === undefined ? [] : [[name, result]],
      ),
    );
  }

  /** The visitor's page has registered these. */
  offer(names: readonly string[]): void {
    this.#offered = [...this.#declared.keys()].filter((name) => names.includes(name));
  }

  /** Another page is before the visitor: what the one before was doing is not known any more. */
  pageChanged(): void {
    this.#offered = [];
    for (const cue of this.#running.keys()) this.#settle(cue, "gone");
  }

  /** Called when the word was heard that it belongs to. Returns why it is refused. */
  order(value: string): string | undefined {
    const { name, params: given } = readOrder(value) ?? {};
    if (name === undefined || given === undefined) return "the parameters are no JSON object";
    const action = this.#declared.get(name);
    if (action === undefined) return "no such action";
    if (!this.#offered.includes(name)) return "the page does not offer it";
    const params = checkParams(action.params, given);
    if (params === undefined) return "the parameters do not fit";
    if (!this.#takeTurn(action)) return "too often";
    if (!action.confirm) this.#start(name, params, false);
    else {
      this.#set(name, "asked");
      this.#options.ask({ name, title: this.#titleOf(action), params });
    }
    return undefined;
  }

  /** The visitor has answered the card. */
  answer({ name, params }: LiveActionCard, isYes: boolean): void {
    if (isYes && this.#offered.includes(name)) return this.#start(name, params, true);
    this.#set(name, isYes ? "missing" : "declined");
    this.#options.onSettled(name);
  }

  /** What the browser tells. A cue that is not waited for is somebody's invention. */
  settle({ cue, state, text = "" }: Omit<LiveActionResult, "type" | "seq">): void {
    this.#settle(cue, state, clean(text));
  }

  close(): void {
    for (const { timer } of this.#running.values()) clearTimeout(timer);
    this.#running.clear();
  }

  #start(name: string, params: ActionParams, wasAsked: boolean): void {
    const cue = newUuid();
    const timer = setTimeout(() => this.#settle(cue, "gone"), ANSWERS_WITHIN_MS);
    this.#running.set(cue, { name, wasAsked, timer });
    this.#set(name, "started", { params });
    this.#options.listener.action({ cue, name, params });
  }

  #settle(cue: string, state: ActionState, result = ""): void {
    const { name, wasAsked, timer } = this.#running.get(cue) ?? {};
    if (name === undefined) return;
    clearTimeout(timer);
    this.#running.delete(cue);
    this.#set(name, state);
    if (result !== "") this.#last.set(name, { state, result });
    if (wasAsked === true || result !== "" || state !== "done") this.#options.onSettled(name);
  }

  /** For the model and for the operator, who does not read what the page said. */
  #set(name: string, state: ActionState, more: { params?: ActionParams } = {}): void {
    this.#last.set(name, { state });
    this.#options.listener.event("action", { name, state, ...more });
  }

  #takeTurn({ id, perMinute }: ConfigAction): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    const recent = (this.#askedMs.get(id) ?? []).filter((atMs) => nowMs - atMs < MINUTE_MS);
    if (recent.length >= perMinute) return false;
    this.#askedMs.set(id, [...recent, nowMs]);
    return true;
  }

  #titleOf({ title, languages = [] }: ConfigAction): string {
    const { defaultLanguage } = this.#options.agent.config;
    const known = [...languages, { code: defaultLanguage }];
    const code = matchLanguage(this.#options.language(), { languages: known, defaultLanguage });
    return languages.find((one) => one.code === code)?.title ?? title;
  }
}

/** Short, on one line, and without signs that nobody sees. */
function clean(text: string): string {
  const plain = text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ");
  return plain.trim().slice(0, LONGEST_RESULT).toWellFormed();
}

const loggedAction = z.object({
  kind: z.literal("action"),
  detail: z.object({
    name: z.string(),
    state: z.enum([
      "asked",
      "started",
      "done",
      "failed",
      "refused",
      "missing",
      "declined",
      "gone",
    ] satisfies ActionState[]),
  }),
});
