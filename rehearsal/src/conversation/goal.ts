import * as z from "zod";
import { orElse, readJson } from "../read-value.ts";

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
    return readJson(turnGoal, message.slice(OPENING.length));
  } catch {
    return undefined;
  }
}

const goal: z.ZodType<Goal> = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["greet", "answer", "offer_email", "pick_up"]) }),
  z.object({ kind: z.literal("ask"), key: z.string(), text: z.string() }),
  z.object({ kind: z.literal("show"), id: z.string(), title: z.string() }),
  z.object({ kind: z.literal("wrap_up"), because: z.enum(["done", "time", "cost"]) }),
]);

const names = orElse(z.array(z.string()), []);

const turnGoal: z.ZodType<TurnGoal> = z.object({
  language: z.string(),
  most_words: orElse(z.number().min(1).max(10_000), 45),
  goal,
  visitor: orElse(
    z.enum(["question", "statement", "hostile", "off_topic", "asks_if_human", "none"]),
    "statement",
  ),
  asked: names,
  answered: names,
  shown: names,
  email: orElse(z.enum(["unknown", "open", "confirmed", "declined"]), "unknown"),
});
