import { inBytes } from "../../file/agent-folder.ts";
import type { FileWithBytes } from "../../file/load-files.ts";
import type { AgentConfig, PlanWarning } from "../agent-config.ts";
import { edgeLuminance } from "./edge-luminance.ts";
import { imageSize } from "./image-size.ts";

const MOST_POSTER_BYTES = 300_000;
const MOST_LOOP_BYTES = 2_000_000;
/** Of the shorter side: a hero is up to 480 points high, on screens of two pixels a point. */
const PIXELS = { least: 400, most: 2_000 };
/** Below it an outline is hardly seen. */
const LEAST_CONTRAST = 1.5;
/** The grounds of a light page and of our dark one. */
const GROUNDS = { light: 1, dark: 0.008 };

/** What works as a face, and may still look bad or come late. */
export function posterWarnings(
  avatar: AgentConfig["avatar"],
  files: readonly FileWithBytes[],
): PlanWarning[] {
  if (typeof avatar === "string") return [];
  const { poster, loop } = avatar;
  const warnings: PlanWarning[] = [];
  const warn = (field: string, message: string): void =>
    void warnings.push({ field: `avatar.${field}`, message });
  if (poster.size > MOST_POSTER_BYTES)
    warn(
      "poster",
      `It has ${inBytes(poster.size)}, and a hero waits for it. Keep it below ${inBytes(MOST_POSTER_BYTES)}.`,
    );
  if (loop !== undefined && loop.size > MOST_LOOP_BYTES)
    warn(
      "loop",
      `It has ${inBytes(loop.size)}, and every visitor loads it. Keep it below ${inBytes(MOST_LOOP_BYTES)}.`,
    );
  const bytes = files.find(({ sha256 }) => sha256 === poster.sha256)?.bytes;
  if (bytes === undefined) return warnings;

  const size = imageSize(bytes);
  if (size !== undefined) {
    const side = Math.min(size.width, size.height);
    const has = `It is ${size.width} by ${size.height} pixels`;
    if (side < PIXELS.least)
      warn("poster", `${has}, and will be blurred. Make it at least ${PIXELS.least}.`);
    if (side > PIXELS.most) warn("poster", `${has}, more than anybody sees. Make it 1,000.`);
  }
  const edge = edgeLuminance(bytes);
  for (const [ground, luminance] of Object.entries(GROUNDS)) {
    if (edge !== undefined && contrast(edge, luminance) < LEAST_CONTRAST)
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
