import { SWATCHES } from "./color-controls.js";

/** Of the agent, as its file says it. Here it is only tried: nobody else's agent changes. */
export const agentControls = [
  {
    name: "persona",
    label: "Face",
    kind: "choice",
    value: "",
    group: "The agent",
    groupNote: "Decided in its agent.yaml. Here it is only tried, by you alone.",
    options: [
      ["", "the agent's own"],
      ["ash", "Ash"],
      ["birch", "Birch"],
      ["cedar", "Cedar"],
      ["hazel", "Hazel"],
      ["linden", "Linden"],
      ["rowan", "Rowan"],
      ["orb", "Orb, no face"],
    ],
  },
  {
    name: "call",
    label: "Colour of the call",
    kind: "color",
    value: "",
    swatches: SWATCHES,
    group: "The agent",
  },
];

/** What the preview pretends that the service has said of the agent. */
export function triedFacts({ persona = "", call = "" }) {
  return { avatar: persona, colors: call === "" ? {} : { primary: call } };
}

/** The lines that make it last. Empty while nothing is tried. */
export function agentYaml({ persona, call }) {
  return [persona && `avatar: ${persona}`, call && `brand:\n  colors:\n    primary: "${call}"`]
    .filter(Boolean)
    .join("\n");
}
