import type { AgentFacts, CallWords, LiveAgentState } from "@svc/contract/types";
import { element, icon, iconButton } from "../kit.ts";
import { agentMark } from "./agent-face.ts";
import type { Frame } from "./frame.ts";
import { ICONS } from "./icons.ts";
import type { Voice } from "./voice.ts";

export interface TalkHeader {
  element: HTMLElement;
  /** Where the agent's mark is, and its face when there is no stage for it. */
  mark: HTMLElement;
  /** Where the state is read, in text. */
  who: HTMLElement;
  /** The frame is large or small now. */
  draw(): void;
}

/** Who it is, a person instead, small or large, and the end: always in sight. */
export function talkHeader({
  agent,
  strings,
  frame,
  onAbout,
  onEnd,
}: {
  agent: AgentFacts;
  strings: CallWords;
  frame: Frame;
  onAbout: () => void;
  onEnd: () => void;
}): TalkHeader {
  const small = iconButton(strings.minimize, ICONS.minimize, () => frame.minimize());
  const large = iconButton(strings.restore, ICONS.restore, () => frame.restore());
  const who = element(
    "p",
    { className: "quiet" },
    element("span", { className: "ai" }, strings.ai_guide),
  );
  const mark = agentMark(agent);
  const header = element(
    "header",
    {},
    mark,
    element("div", { className: "who" }, element("h2", {}, agent.name), who),
    agent.person !== undefined &&
      element(
        "a",
        {
          className: "person",
          href: agent.person,
          target: "_blank",
          rel: "noopener",
          title: strings.person,
        },
        icon(ICONS.person),
        element("span", {}, strings.person),
      ),
    iconButton(strings.about, ICONS.about, onAbout),
    small,
    large,
    element("button", { type: "button", className: "end", onclick: onEnd }, strings.end),
  );
  function draw(): void {
    small.hidden = frame.isMinimized;
    large.hidden = !frame.isMinimized;
  }
  draw();
  return { element: header, mark, who, draw };
}

/** What the visitor reads about who is doing what. */
export function stateLabel(strings: CallWords, { link, agent, voice }: CallState): string {
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
