import type { AgentFacts } from "@svc/contract/types";
import type { Moment } from "../avatar/index.ts";
import { element } from "../kit.ts";
import type { CallOptions } from "./call-options.ts";

/** The agent's face, the same from the notice on: large on the stage until something is shown there, then above the conversation. */
export interface AgentFace {
  element: HTMLElement;
  /** What the agent does at the moment. */
  moment: () => Moment;
  /** Replaces the silhouette with the agent's own face, once. */
  wear(): void;
}

export function agentFace({ kit, dress }: CallOptions): AgentFace {
  const silhouette = kit.drawFace("");
  const face: AgentFace = {
    element: element("span", { className: "face" }, silhouette),
    moment: () => ({}),
    wear() {
      void dress(silhouette, () => face.moment());
      face.wear = () => {};
    },
  };
  return face;
}

/** The brand's logo, if there is one. */
export function agentMark({ brand }: AgentFacts): HTMLElement {
  const src = brand.logo_url;
  return element(
    "span",
    { className: "mark" },
    src !== undefined && element("img", { alt: "", src }),
  );
}
