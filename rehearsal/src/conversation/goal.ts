import { list, number, oneOf, openObject, or, text } from "../shape.ts";
import type { Shape } from "../shape.ts";

/** What a turn is for, as the last message of a request says it. */
export interface TurnGoal {
  language: string;
  most_words: number;
  goal: Goal;
  /** What the server made of the visitor's last turn; `none` where there is nothing to respond to. */
  visitor: "question" | "statement" | "hostile" | "off_topic" | "asks_if_human" | "none";
  /** Keys of questions. */
  asked: string[];
  answered: string[];
  /** Ids of content. */
  shown: string[];
  email: "unknown" | "open" | "confirmed" | "declined";
}

export type Goal =
  | { kind: "greet" | "answer" | "offer_email" | "pick_up" }
  | { kind: "ask"; key: string; text: string }
  | { kind: "show"; id: string; title: string }
  | { kind: "wrap_up"; because: "done" | "time" | "cost" };

const OPENING = "Goal of this turn:";

/** Undefined for a message that gives no goal. */
export function readGoal(message: string): TurnGoal | undefined {
  if (!message.startsWith(OPENING)) return undefined;
  try {
    const value: unknown = JSON.parse(message.slice(OPENING.length));
    return turnGoal(value, "");
  } catch {
    return undefined;
  }
}

const goal: Shape<Goal> = (value, at) => {
  const kinds = ["greet", "answer", "offer_email", "pick_up", "ask", "show", "wrap_up"] as const;
  const { kind } = openObject({ kind: oneOf(...kinds) })(value, at);
  if (kind === "ask") return { kind, ...openObject({ key: text, text })(value, at) };
  if (kind === "show") return { kind, ...openObject({ id: text, title: text })(value, at) };
  if (kind !== "wrap_up") return { kind };
  return { kind, ...openObject({ because: oneOf("done", "time", "cost") })(value, at) };
};

const turnGoal = openObject<TurnGoal>({
  language: text,
  most_words: or(number({ from: 1, to: 10_000 }), 45),
  goal,
  visitor: or(
    oneOf("question", "statement", "hostile", "off_topic", "asks_if_human", "none"),
    "statement",
  ),
  asked: or(list(text), []),
  answered: or(list(text), []),
  shown: or(list(text), []),
  email: or(oneOf("unknown", "open", "confirmed", "declined"), "unknown"),
});
