import type { AgentTool } from "./agent.ts";
import type { Metadata } from "./session.ts";

/**
 * `scenarios/*.yaml`: one conversation that an agent must be able to hold. `svc agents rehearse` plays it. Only `name` and
 * `visitor` are required.
 */
export interface ScenarioFile {
  /** What is tried, in one line. */
  name: string;
  /** What the visitor speaks. Default: the agent's default language. */
  language?: string;
  /** What the page says of the visitor. */
  metadata?: Metadata;
  /** Who talks with the agent: a script, or a persona that a model plays. */
  visitor: ScenarioVisitor;
  /** What must be so when the conversation is over. */
  expect?: ScenarioExpectations;
}

/** Who talks with the agent. Either `says` or `persona`. */
export interface ScenarioVisitor {
  /** A script: what the visitor says or does, one line after each turn of the agent's. After the last line the visitor leaves. */
  says?: (string | ScenarioAct)[];
  /** A character that a model plays. */
  persona?: ScenarioPersona;
}

/** What a visitor does with a card, as soon as from that line on such a card is open. Exactly one of them. */
export interface ScenarioAct {
  /** Confirms this address on the card that asks for one. */
  confirms_email?: string;
  /** Closes the card. */
  dismisses_card?: true;
  /** Chooses this ready answer, which becomes a turn. */
  quick_reply?: string;
}

/** A character that a model plays. */
export interface ScenarioPersona {
  /** What brought them here. */
  wants: string;
  /** What they can tell when they are asked, an email address included. */
  knows?: string;
  /** How they talk. */
  style?: string;
  /** After so many turns they leave. */
  most_turns?: number;
}

/** What must be so when the conversation is over. */
export interface ScenarioExpectations {
  /** Tools that must have been used, in any order. */
  tools?: AgentTool[];
  /** Each must have been heard from the agent: words, or a pattern between slashes. Case and line breaks do not count. */
  must_say?: string[];
  /** None may have been heard from the agent: words, or a pattern between slashes. */
  must_not_say?: string[];
  /** Questions of the agent's that must have been heard, by their keys. */
  questions_heard?: string[];
  /** Questions that must not have been heard, by their keys. */
  questions_not_heard?: string[];
  /** Content that must have been on show, by its ids; `booking/2` is the second step of a tour. */
  content_shown?: string[];
  /** What must be on show while the agent speaks of something. */
  shows?: ScenarioShows[];
  /** The longest turn of the agent's. */
  most_words_per_turn?: number;
  /** Who ends the conversation. An agent may end it before the script is over only where this says `agent`. */
  ends?: ScenarioEnd;
  /** The address that the session must end with, or `none`. */
  email?: string;
}

/** What must be on show while the agent speaks of something: in a turn that says so, or before it and not yet replaced. */
export interface ScenarioShows {
  /** Its id; `booking/2` is the second step of a tour, and `booking` any of them. */
  content: string;
  /** Words of that turn, or a pattern between slashes. */
  while_saying: string;
}

export type ScenarioEnd = "agent" | "visitor";
