import { inBytes } from "../../file/agent-folder.ts";
import type { FileWithBytes } from "../../file/load-files.ts";
import type { AgentConfig, PlanWarning } from "../agent-config.ts";
import { edgeLuminance } from "./edge-luminance.ts";
import { imageSize } from "./image-size.ts";

const MAX_POSTER_BYTES = 300_000;
const MAX_LOOP_BYTES = 2_000_000;
/** The shorter side: a hero is up to 480 CSS pixels high, on screens with two device pixels for each. */
const PIXELS = { min: 400, max: 2_000 };
/** Below this contrast, the outline is hardly visible. */
const MIN_CONTRAST = 1.5;
/** The luminance of a light page's background and of our dark one. */
const GROUNDS = { light: 1, dark: 0.008 };

/** Warnings about a poster or a loop that works but may look bad or load late. */
export function posterWarnings(
  avatar: AgentConfig["avatar"],
  files: readonly FileWithBytes[],
): PlanWarning[] {
  if (typeof avatar === "string") return [];
  const { poster, loop } = avatar;
  const warnings: PlanWarning[] = [];
  const warn = (field: string, message: string): void =>
    void warnings.push({ field: `avatar.${field}`, message });
  if (poster.size > MAX_POSTER_BYTES)
    warn(
      "poster",
      `It has ${inBytes(poster.size)}, and a hero waits for it. Keep it below ${inBytes(MAX_POSTER_BYTES)}.`,
    );
  if (loop !== undefined && loop.size > MAX_LOOP_BYTES)
    warn(
      "loop",
      `It has ${inBytes(loop.size)}, and every visitor loads it. Keep it below ${inBytes(MAX_LOOP_BYTES)}.`,
    );
  const bytes = files.find(({ sha256 }) => sha256 === poster.sha256)?.bytes;
  if (bytes === undefined) return warnings;

  const size = imageSize(bytes);
  if (size !== undefined) {
    const side = Math.min(size.width, size.height);
    const has = `It is ${size.width} by ${size.height} pixels`;
    if (side < PIXELS.min)
      warn("poster", `${has}, and will be blurred. Make it at least ${PIXELS.min}.`);
    if (side > PIXELS.max) warn("poster", `${has}, more than anybody sees. Make it 1,000.`);
  }
  const edge = edgeLuminance(bytes);
  for (const [ground, luminance] of Object.entries(GROUNDS)) {
    if (edge !== undefined && contrast(edge, luminance) < MIN_CONTRAST)
      warn(
        "poster",
        `Its outline is hardly seen on a ${ground} page. Give it a ground of its own.`,
      );
  }
  return warnings;
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
