import type { AgentFacts } from "@svc/contract/types";
import type { Moment } from "../avatar/index.ts";
import { svg } from "./element.ts";

/**
 * A faceless silhouette, which is nobody: shapes in the order of painting, each a line of its name, the
 * share of the brand's colour in it, its outline in a box of 200 by 200, and for a line its width. People
 * have the same head and shoulders, so that one fades into the other without a jump.
 */
const SILHOUETTE = `ground 16 M0,100a100,100,0,0,1,200,0,100,100,0,0,1-200,0z
shoulders 36 M25,166c9-11,34-13,59-20h32c25,7,50,9,59,20a100,100,0,0,1-150,0z
neck 36 M83,122h34v24c-6,13-28,13-34,0z
head 36 M59,84c-8-4-12,2-11,8s6,11,12,9c4,16,11,25,21,32,12,8,26,8,38,0,10-7,17-16,21-32,6,2,11-3,12-9s-3-12-11-8c2-32-14-50-41-50s-43,18-41,50z
brows 36 M74,77c4-4,11-5,16-2M110,75c5-3,12-2,16,2 3
eyes 36 M83,89v2M117,89v2 7
nose 36 M101,92q6,12-2,13 3
mouth 36 M87,116q13,11,26,0 3`;

/**
 * Replaces the silhouette with the agent's own. With `moment` it moves, otherwise it stands still.
 * Resolves to the agent's theme, once that is known.
 */
export type Dress = (face: Element, moment?: () => Moment) => Promise<AgentFacts["theme"]>;

/** Draws the silhouette in the brand's colour, on the paper of widget and call or on white. Without a label, screen readers skip it. Every shape has a class, so that a page can style it. */
export function drawFace(label: string): Element {
  const named = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  const shapes = SILHOUETTE.split("\n").map((line) => {
    const [part, share, d, width] = line.split(" ");
    const color = `color-mix(in oklab,var(--svc-accent,#0f766e) ${share}%,var(--svc-paper,#fff))`;
    // An explicit `none` protects shapes from a page's rule that gives every SVG a stroke.
    const paint = width ? { fill: "none", stroke: color } : { fill: color, stroke: "none" };
    return shape("path", part!, { d, ...paint, "stroke-width": width });
  });
  // Browsers that cannot mix colours show a disc.
  const all = shape("g", "shapes", { "stroke-linecap": "round", fill: "#9bb" }, ...shapes);
  return shape("svg", "placeholder", { viewBox: "0 0 200 200", ...named }, all);
}

const shape = (
  tag: "svg" | "g" | "path",
  part: string,
  attributes: object,
  ...children: Element[]
): Element => svg(tag, { class: `svc-hero-${part}`, ...attributes }, ...children);
