import type { ActionParams, LiveAction, LiveActionResult, LivePage } from "@svc/contract/types";
import type { Outgoing } from "../call/live-connection.ts";

/** What the page has registered, and may be asked for by the agent. */
export interface PageActions {
  take(message: LivePage | LiveAction): void;
}

export interface PageActionsOptions {
  send: (message: Outgoing) => void;
  /** Called before the page does something: the visitor should see it. */
  onRun: () => void;
}

/** The server waits a little longer. */
const WITHIN_MS = 10_000;
const LONGEST_TEXT = 200;
const LONGEST_RESULT = 500;

export function pageActions({ send, onRun }: PageActionsOptions): PageActions {
  const { all } = (window.Svc as unknown as { actions: { all: SvcActions[] } }).actions;
  let wanted: string[] = [];

  // What the page registers later is told too. A call that comes after this one takes its place.
  // Defined, because a page that has frozen its prototypes lets nobody assign it.
  Object.defineProperty(all, "push", {
    configurable: true,
    value: (...given: SvcActions[]) => {
      Array.prototype.push.apply(all, given);
      offer();
    },
  });

  /** The last one that was registered by a name counts. */
  function find(name: string): SvcAction | null | undefined {
    return all.reduce<SvcAction | null | undefined>(
      (found, one) => (one && Object.hasOwn(one, name) ? one[name] : found),
      undefined,
    );
  }

  function offer(): void {
    send({ type: "page_actions", names: wanted.filter((name) => find(name)) });
  }

  async function run({ cue, name, params: sent }: LiveAction): Promise<void> {
    // An object, whatever came.
    const params = { ...sent };
    const tell = (state: LiveActionResult["state"], text = ""): void =>
      send({ type: "action_result", cue, state, text: text.slice(0, LONGEST_RESULT) });
    const action = find(name);
    if (!action || !wanted.includes(name)) return tell("missing");
    if (!fit(action.params ?? {}, params)) return tell("refused");
    onRun();
    let timer: number | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = window.setTimeout(reject, WITHIN_MS, new Error("It took too long."));
    });
    try {
      const result = await Promise.race([action.run(params), late]);
      tell("done", typeof result === "string" ? result : "");
    } catch (error) {
      tell("failed", String(error));
    }
    clearTimeout(timer);
  }

  return {
    take(message) {
      if (message.type === "action") return void run(message);
      wanted = message.actions;
      if (wanted.length > 0) offer();
    },
  };
}

/** The server has the same rules, for what the agent's version declares. */
export function fit(declared: Record<string, SvcActionParam>, given: ActionParams): boolean {
  return (
    Object.keys(given).every((key) => Object.hasOwn(declared, key)) &&
    Object.entries(declared).every(([key, param]) =>
      Object.hasOwn(given, key) ? fits(param, given[key]) : param.optional,
    )
  );
}

function fits({ type, enum: choices, minimum, maximum }: SvcActionParam, value: unknown): boolean {
  if (typeof value === "number")
    return (
      (type === "number"
        ? Number.isFinite(value)
        : type === "integer" && Number.isSafeInteger(value)) &&
      value >= (minimum ?? value) &&
      value <= (maximum ?? value)
    );
  if (typeof value === "string")
    return type === "string" && value.length <= LONGEST_TEXT && (choices?.includes(value) ?? true);
  return type === typeof value && type === "boolean";
}
