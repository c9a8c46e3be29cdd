import type { AgentFacts } from "@svc/contract/types";
import type { Moment } from "../avatar/index.ts";
import { svg } from "./element.ts";

/**
 * A faceless silhouette, which is nobody: shapes in the order of painting, each a line of its name, the
 * share of the brand's colour in it, and its outline in the box of 320 by 320, of which a disc of 288 is seen. People have the same
 * outlines, so that one fades into the other without a jump.
 */
const SILHOUETTE = `ground 20 M16,160a144,144,0,0,1,288,0,144,144,0,0,1-288,0z
shoulders 42 M16,304c6-26,38-36,82-46,26-6,38-11,39-28h46c1,17,13,22,39,28,44,10,76,20,82,46z
neck 42 M137,190v44c0,18,12,28,23,28s23-10,23-28v-44z
head 42 M103,134c0-38,25-61,57-61s57,23,57,61c0,20-4,37-11,51-10,20-29,36-46,36s-36-16-46-36c-7-14-11-31-11-51z`;

/**
 * Replaces the silhouette with the agent's own face. With `moment` it moves, otherwise it stands still.
 * Resolves to the agent's theme, once that is known.
 */
export type Dress = (face: SVGElement, moment?: () => Moment) => Promise<AgentFacts["theme"]>;

/** Draws the silhouette in the brand's colour, on the paper of widget and call or on white. Without a label, screen readers skip it. Every shape has a class, so that a page can style it. */
export function drawFace(label: string): SVGElement {
  const named = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  const shapes = SILHOUETTE.split("\n").map((line) => {
    const [part, share, d] = line.split(" ");
    const fill = `color-mix(in oklab,var(--svc-accent,#0f766e) ${share}%,var(--svc-paper,#fff))`;
    // An explicit `none` protects shapes from a page's rule that gives every SVG a stroke.
    return shape("path", part!, { d, fill, stroke: "none" });
  });
  // Browsers that cannot mix colours show a disc.
  const all = shape("g", "shapes", { fill: "#9bb", "clip-path": "circle()" }, ...shapes);
  return shape("svg", "placeholder", { viewBox: "16 16 288 288", ...named }, all);
}

const shape = (
  tag: "svg" | "g" | "path",
  part: string,
  attributes: object,
  ...children: Element[]
): SVGElement => svg(tag, { class: `svc-hero-${part}`, ...attributes }, ...children);
