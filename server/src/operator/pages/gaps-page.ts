import { AgentGap as Gap } from "@svc/contract/schemas";
import type { AgentGap, AgentGaps } from "@svc/contract/types";
import * as z from "zod";
import { heading, tone, wrap } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ago } from "../terminal/times.ts";

export interface GapsPage extends AgentGaps {
  written?: { file: string; added: number; drafted: number };
}

export const GapsPage: z.ZodType<GapsPage> = z.strictObject({
  agent_id: z.string(),
  slug: z.string(),
  since: z.iso.datetime(),
  sessions: z.int().describe("How many were read"),
  read_to: z.iso.datetime().exactOptional().describe("Present where older sessions were not read"),
  gaps: z.array(Gap),
  more: z.int().describe("How many gaps are not listed"),
  written: z
    .strictObject({
      file: z.string(),
      added: z.int().describe("Sections whose heading was not there yet"),
      drafted: z.int().describe("How many of the gaps a model has drafted"),
    })
    .exactOptional()
    .describe("Present with --into"),
});

export function renderGaps(page: GapsPage, terminal: Terminal): string {
  const { slug, since, sessions, gaps, more, read_to: readTo } = page;
  const title = heading(terminal, slug);
  const span = tone(
    terminal,
    "quiet",
    `${sessions} ${sessions === 1 ? "conversation" : "conversations"} since ${since.slice(0, 10)}`,
  );
  const quiet = (text: string): string => tone(terminal, "quiet", wrap(text, terminal.width, 0));
  const widest = Math.max(0, ...gaps.map((gap) => countOf(gap).length));
  return [
    `${title} ${span}`,
    "",
    ...(gaps.length === 0 ? [wrap(EMPTY, terminal.width, 0)] : []),
    ...gaps.flatMap((gap) => [...gapLines(gap, widest, terminal), ""]),
    ...(more > 0 ? [quiet(`${more} more: raise --limit.`)] : []),
    ...(readTo === undefined ? [] : [quiet(`Older ones than ${readTo} were not read.`)]),
    ...(gaps.length === 0 ? [] : [wrap(nextStep(page), terminal.width, 0)]),
  ].join("\n");
}

const EMPTY =
  "Nothing that visitors asked was left without an answer. Look further back with --since 90d.";
const QUOTED = 3;

function countOf({ sessions }: AgentGap): string {
  return `${sessions} ×`;
}

function gapLines(gap: AgentGap, widest: number, terminal: Terminal): string[] {
  const { about, last_at, languages, quotes } = gap;
  const count = countOf(gap).padStart(widest);
  const indent = " ".repeat(widest + 2);
  const line = (text: string): string => wrap(text, terminal.width, indent.length);
  const where = [languages.join(", "), `last ${ago(terminal, last_at)}`].join(" · ");
  return [
    `${tone(terminal, "strong", count)}  ${line(about)}`,
    ...quotes
      .slice(0, QUOTED)
      .map(({ question, session_id: id }) => indent + line(`“${question}” ${id.slice(0, 8)}`)),
    indent + tone(terminal, "quiet", line(`${where} · ${reasonsOf(gap)}`)),
  ];
}

function reasonsOf({ reasons, held }: AgentGap): string {
  const codes = Object.entries(held).map(([code, count]) => `${code} ${count}`);
  return [
    reasons.said_unknown > 0 ? `said so ${reasons.said_unknown}` : "",
    reasons.not_found > 0 ? `nothing found ${reasons.not_found}` : "",
    reasons.held > 0 ? `held back ${reasons.held} (${codes.join(", ")})` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function nextStep({ slug, written }: GapsPage): string {
  if (written === undefined)
    return `svc agents gaps ${slug} --into <folder> adds a section for each to the agent's folder, for you to fill in.`;
  const { file, added, drafted } = written;
  if (added === 0) return `All of these have a section in ${file} already.`;
  const by = drafted > 0 ? `, ${drafted} drafted by a model` : "";
  return `Added ${added === 1 ? "a section" : `${added} sections`} to ${file}${by}. Write the answers; what stands in a comment is no knowledge.`;
}
