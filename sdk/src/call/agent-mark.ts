import type { AgentFacts } from "@svc/contract/types";
import { element } from "../kit.ts";

/** The brand's logo, or the agent's first letter where there is none, or it cannot be loaded. */
export function agentMark({ name, brand }: AgentFacts): HTMLElement {
  const mark = element("span", { className: "mark", "aria-hidden": "true" }, name.slice(0, 1));
  if (brand.logo_url !== undefined) {
    const logo = element("img", { alt: "", onload: () => mark.replaceChildren(logo) });
    logo.src = brand.logo_url;
  }
  return mark;
}
