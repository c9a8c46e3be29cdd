import type { AgentPlan } from "#agents";
import stringWidth from "string-width";
import * as z from "zod";
import { lineDiff } from "../terminal/line-diff.ts";
import type { DiffLine } from "../terminal/line-diff.ts";
import { facts, heading, oneLine, tone, wrap } from "../terminal/terminal.ts";
import type { Terminal, Tone } from "../terminal/terminal.ts";

/** The changes that an agent's folder would make, as `--json` prints them. */
export interface PlanOutput {
  slug: string;
  account: string;
  /** Absent for an agent that is not there yet. */
  agent_id?: string;
  version?: number;
  /** Whether the agent was removed: applying brings it back. */
  removed: boolean;
  changes: Change[];
  warnings: { field: string; message: string }[];
}

interface Change {
  field: string;
  change: "added" | "removed" | "changed";
  from?: string;
  to?: string;
}

export const Changes: z.ZodType<Change[]> = z.array(
  z.strictObject({
    field: z.string(),
    change: z.enum(["added", "removed", "changed"]),
    from: z.string().exactOptional(),
    to: z.string().exactOptional(),
  }),
);

export const PlanOutput: z.ZodType<PlanOutput> = z.strictObject({
  slug: z.string(),
  account: z.string(),
  agent_id: z.string().exactOptional(),
  version: z.int().exactOptional(),
  removed: z.boolean(),
  changes: Changes,
  warnings: z.array(z.strictObject({ field: z.string(), message: z.string() })),
});

export function toPlanOutput(plan: AgentPlan, account: string): PlanOutput {
  const { slug, current, isRemoved, changes, warnings } = plan;
  return {
    slug,
    account,
    ...(current !== undefined && { agent_id: current.agentId, version: current.version }),
    removed: isRemoved,
    changes,
    warnings,
  };
}

/** For people: each change, then how many, then what they may not have meant. */
export function planPage(plan: PlanOutput, terminal: Terminal): string {
  const { slug, account, version, removed, changes, warnings } = plan;
  const runs = removed ? `was removed, with version ${version}` : `runs version ${version}`;
  const was = version === undefined ? "is not there yet" : runs;
  return [
    heading(terminal, `${slug} of ${oneLine(account)} ${was}.`),
    ...changesPage(changes, terminal),
    ...(warnings.length === 0
      ? []
      : [
          "",
          tone(
            terminal,
            "warn",
            warnings.length === 1 ? "One warning" : `${warnings.length} warnings`,
          ),
          facts(
            terminal,
            warnings.map(({ field, message }) => [field, message]),
          ),
        ]),
  ].join("\n");
}

/** Each change, then how many there are; nothing where there is none. */
export function changesPage(changes: Change[], terminal: Terminal): string[] {
  return changes.length === 0 ? [] : ["", ...changeLines(changes, terminal), "", count(changes)];
}

const SIGNS = { added: "+", removed: "-", changed: "~" } as const;
const TONES: Record<string, Tone> = { "+": "good", "-": "bad", "~": "warn" };

/** The widest column of names; a longer one pushes its value to the right. */
const MAX_NAME_WIDTH = 40;

/** More of one text would bury the other changes. */
const MAX_LINES = 30;

function changeLines(changes: Change[], terminal: Terminal): string[] {
  const widest = Math.max(...changes.map(({ field }) => stringWidth(field)));
  const width = Math.min(MAX_NAME_WIDTH, widest);
  return changes.flatMap(({ field, change, from = "", to = "" }) => {
    const sign = SIGNS[change];
    const padding = " ".repeat(Math.max(0, width - stringWidth(field)));
    const name = `${tone(terminal, TONES[sign]!, sign)} ${oneLine(field)}`;
    const indent = 2 + stringWidth(field) + padding.length + 2;
    if (change !== "changed") {
      return [`${name}${padding}  ${wrap(firstOf(from + to), terminal.width, indent)}`];
    }
    const both = `${from.trimEnd()} → ${to.trimEnd()}`;
    if (!both.includes("\n") && stringWidth(both) <= terminal.width - indent)
      return [`${name}${padding}  ${oneLine(both)}`];
    return [name, ...textLines(lineDiff(from, to), terminal)];
  });
}

/** A text that is new or gone is shown by its first words, which stand below the head of a file: the file holds the rest. */
function firstOf(text: string): string {
  const lines = text.trimEnd().split("\n");
  const from = lines[0] === "---" ? lines.indexOf("---", 1) + 1 : 0;
  const first = lines.slice(from).find((line) => line.trim() !== "") ?? "";
  const more = lines.length === 1 ? "" : ` … (${lines.length} lines)`;
  return (first.length > 300 ? `${first.slice(0, 300)}…` : first) + more;
}

function textLines(lines: DiffLine[], terminal: Terminal): string[] {
  const shown = lines.slice(0, MAX_LINES).map(({ sign, text }) => {
    const words = sign === "…" ? "…" : `${sign} ${wrap(text, terminal.width, 6)}`;
    return `    ${TONES[sign] === undefined ? tone(terminal, "quiet", words) : tone(terminal, TONES[sign], words)}`;
  });
  const left = lines.length - MAX_LINES;
  return left > 0 ? [...shown, `    … and ${left} more lines`] : shown;
}

function count(changes: Change[]): string {
  const parts = (["added", "changed", "removed"] as const).map((kind) => {
    const number = changes.filter(({ change }) => change === kind).length;
    return number === 0 ? [] : [`${number} ${kind}`];
  });
  return parts.flat().join(", ");
}
