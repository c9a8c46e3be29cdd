import type { AgentFacts } from "@svc/contract/types";
import type { Moment } from "../avatar/index.ts";
import { element } from "../kit.ts";
import type { CallOptions } from "./call-options.ts";

/** The agent's face: large on the stage until something is shown there, then small beside its name. */
export interface AgentFace {
  element: HTMLElement;
  /** From the agent's first words on it is its own: what draws it would make them come later. */
  wear(): void;
}

export function agentFace({ kit, dress }: CallOptions, moment: () => Moment): AgentFace {
  const neutral = kit.drawFace("");
  let isWorn = false;
  return {
    element: element("span", { className: "face" }, neutral),
    wear() {
      if (!isWorn) dress(neutral, moment);
      isWorn = true;
    },
  };
}

/** The brand's logo, or the agent's first letter where there is none, or it cannot be loaded. */
export function agentMark({ name, brand }: AgentFacts): HTMLElement {
  const mark = element("span", { className: "mark", "aria-hidden": "true" }, name.slice(0, 1));
  if (brand.logo_url !== undefined) {
    const logo = element("img", { alt: "", onload: () => mark.replaceChildren(logo) });
    logo.src = brand.logo_url;
  }
  return mark;
}
