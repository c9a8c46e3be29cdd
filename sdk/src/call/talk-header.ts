import type { AgentFacts, CallWords, LiveAgentState } from "@svc/contract/types";
import { element } from "../kit.ts";
import { agentMark } from "./agent-face.ts";
import type { Voice } from "./voice.ts";

export interface TalkHeader {
  element: HTMLElement;
  /** Where the state is read, in text. */
  who: HTMLElement;
}

/** Who it is, and the end. What can be done besides comes between them. */
export function talkHeader(agent: AgentFacts, strings: CallWords, onEnd: () => void): TalkHeader {
  const who = element(
    "div",
    { className: "who" },
    element("h2", {}, agent.name),
    element("span", { className: "ai" }, strings.ai_guide),
  );
  return {
    element: element(
      "header",
      {},
      agentMark(agent),
      who,
      element("button", { type: "button", className: "end", onclick: onEnd }, strings.end),
    ),
    who,
  };
}

/** What the visitor reads about who is doing what. */
export function stateLabel(strings: CallWords, { link, agent, voice, joining }: CallState): string {
  if (link === "lost") return strings.reconnecting;
  if (voice.state === "asking") return strings.allow;
  if (joining) return strings.joining.replace("{name}", () => joining);
  if (voice.state === "opening") return strings.connecting;
  if (voice.state === "off") return strings[agent];
  if (agent === "thinking") return strings.thinking;
  if (voice.isMuted) return agent === "speaking" ? strings.speaking : strings.muted;
  return agent === "speaking" ? strings.speaks : strings.hears;
}

export interface CallState {
  /** To the server: not yet there, there, or lost for the moment. */
  link: "new" | "there" | "lost";
  agent: LiveAgentState;
  /** The agent's name, until it has said something. */
  joining?: string | undefined;
  voice: Pick<Voice, "state" | "isMuted">;
}
