import * as z from "zod";
import { orElse, readJson } from "../read-value.ts";

/** What a demo agent was told about itself, as far as the first message of a request says it. */
export interface Instructions {
  agent: Agent;
  content: Content[];
  /** What the visitor's page may be asked to do. */
  actions: Action[];
  questions: Question[];
  knowledge: Section[];
  /** The knowledge is too large for the prompt: there is a tool to search it. */
  isSearched: boolean;
}

export interface Agent {
  name: string;
  brand: string;
  /** Codes; undefined where it was not told. */
  languages?: string[] | undefined;
  /** The directions that are open to it; all of them where it was not told. */
  can?: string[] | undefined;
}

export interface Content {
  id: string;
  title: string;
  show_when?: string;
  /** What it says; of a tour one line for each step, `booking/2: Choose a crew.` */
  text?: string;
}

export interface Action {
  name: string;
  describe: string;
  do_when?: string;
  params?: Record<string, ActionParam>;
  /** The visitor is asked first. */
  confirm?: boolean;
}

export interface ActionParam {
  type: "string" | "number" | "integer" | "boolean";
  enum?: string[];
  minimum?: number;
  optional?: boolean;
}

export interface Question {
  key: string;
  text: string;
}

export interface Section {
  /** Such as `your-data.md#Webhooks`. */
  name: string;
  text: string;
}

/** Undefined for a prompt that is no demo agent's. */
export function readInstructions(prompt: string): Instructions | undefined {
  const parts = sectionsOf(
    prompt,
    /^# (Agent|Actions|Content|Questions|Knowledge|Persona|Instructions)$/,
  );
  const part = (name: string): string => parts.find((one) => one.name === name)?.text ?? "";
  const [agent] = objectsIn(part("Agent"), agentSchema);
  if (agent === undefined) return undefined;
  const knowledge = part("Knowledge");
  return {
    agent,
    content: objectsIn(part("Content"), contentSchema),
    actions: objectsIn(part("Actions"), actionSchema),
    questions: objectsIn(part("Questions"), questionSchema),
    knowledge: readSections(knowledge),
    isSearched: knowledge.trim() === "Use search_knowledge.",
  };
}

/** The sections of some knowledge, each below its `## name`. */
export function readSections(knowledge: string): Section[] {
  return sectionsOf(knowledge, /^## (\S+\.\w+(?:#.*)?)$/);
}

const names = orElse(z.array(z.string()), undefined);
const agentSchema: z.ZodType<Agent> = z.object({
  name: z.string(),
  brand: z.string(),
  languages: names,
  can: names,
});
const questionSchema = z.strictObject({ key: z.string(), text: z.string() });
const contentSchema = z.object({
  id: z.string(),
  title: z.string(),
  show_when: z.string().exactOptional(),
  text: z.string().exactOptional(),
});

const actionSchema: z.ZodType<Action> = z.object({
  name: z.string(),
  describe: z.string(),
  do_when: z.string().exactOptional(),
  confirm: z.boolean().exactOptional(),
  params: z
    .record(
      z.string(),
      z.object({
        type: z.enum(["string", "number", "integer", "boolean"]),
        enum: z.array(z.string()).exactOptional(),
        minimum: z.number().exactOptional(),
        optional: z.boolean().exactOptional(),
      }),
    )
    .exactOptional(),
});

/** What stands below each line that is a heading. */
function sectionsOf(whole: string, heading: RegExp): Section[] {
  const sections: Section[] = [];
  for (const line of whole.split("\n")) {
    const name = heading.exec(line)?.[1];
    if (name !== undefined) sections.push({ name, text: "" });
    else if (sections.length > 0) sections.at(-1)!.text += `${line}\n`;
  }
  return sections;
}

/** One JSON object a line. What is none is passed over: an agent's own texts may stand anywhere. */
function objectsIn<T>(lines: string, schema: z.ZodType<T>): T[] {
  return lines.split("\n").flatMap((line) => {
    try {
      return [readJson(schema, line)];
    } catch {
      return [];
    }
  });
}
