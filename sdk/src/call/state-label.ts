import type { LiveAgentState } from "@svc/contract/types";
import type { Strings } from "../strings/strings.ts";
import type { Voice } from "./voice.ts";

/** What the visitor reads about who is doing what. */
export function stateLabel(strings: Strings, { link, agent, voice }: CallState): string {
  if (link === "lost") return strings.reconnecting;
  if (link === "new" || voice.state === "opening") return strings.connecting;
  if (voice.state === "off") return strings[agent];
  if (voice.state === "asking") return strings.allow;
  if (agent === "thinking") return strings.thinking;
  if (voice.isMuted) return agent === "speaking" ? strings.speaking : strings.muted;
  return agent === "speaking" ? strings.speaks : strings.hears;
}

export interface CallState {
  /** To the server: not yet there, there, or lost for the moment. */
  link: "new" | "there" | "lost";
  agent: LiveAgentState;
  voice: Pick<Voice, "state" | "isMuted">;
}
