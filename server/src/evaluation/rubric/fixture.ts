import { readFile, readdir } from "node:fs/promises";
import { basename } from "node:path";
import type { QualificationStatus } from "@svc/contract/types";
import { parse } from "yaml";
import * as z from "zod";
import type { Conversation, Rubric } from "../rubric-of.ts";
import { Wording } from "./wording.ts";

/** A conversation with the evaluation that a careful reader gives it. */
export interface Fixture {
  /** Its file's name. */
  name: string;
  /** The difficulty that the fixture tests. */
  about: string;
  rubric: Rubric;
  conversation: Conversation;
  expected: Expected;
}

/** The expected evaluation. A field that is absent here must be absent there. */
export interface Expected {
  language: string;
  customerName: Wording | undefined;
  qualification: QualificationStatus;
  questions: Map<string, { asked: boolean; answer: Wording | undefined }>;
  /** Every configured key; undefined where there is nothing to be found. */
  insights: Map<string, Wording | undefined>;
  prospectQuestions: Exchange[];
  objections: Exchange[];
  /** The session's summary, the evaluation's, and the message to the prospect. */
  summaries: { summary: Wording; evaluation: Wording; prospect: Wording };
}

/** Something the prospect said, and what the agent said to it. */
export interface Exchange {
  said: Wording;
  reply: Wording | undefined;
}

const texts = z.record(z.string(), z.string());

const Agent = z.strictObject({
  names: z.array(z.string()),
  languages: z.array(z.string()),
  default_language: z.string(),
  record_language: z.string(),
  questions: texts,
  insights: texts,
  qualification: z
    .strictObject({ qualified: z.string(), disqualified: z.string().exactOptional() })
    .exactOptional(),
  knowledge: z.array(z.string()).default([]),
});

const Turn = z.union([
  z
    .strictObject({ user: z.string() })
    .transform(({ user }) => ({ role: "user" as const, content: user, interrupted: false })),
  z
    .strictObject({ assistant: z.string(), interrupted: z.literal(true).exactOptional() })
    .transform(({ assistant, interrupted = false }) => ({
      role: "assistant" as const,
      content: assistant,
      interrupted,
    })),
]);

const Question = z.union([
  z
    .strictObject({ asked: z.boolean(), answered: z.literal(true), answer: Wording })
    .transform(({ asked, answer }) => ({ asked, answer })),
  z
    .strictObject({ asked: z.boolean(), answered: z.literal(false) })
    .transform(({ asked }) => ({ asked, answer: undefined })),
]);

const Expectation = z.strictObject({
  language: z.string(),
  customer_name: Wording.exactOptional(),
  qualification: z.enum(["qualified", "disqualified", "not_enough_data"]),
  questions: z.record(z.string(), Question),
  insights: z.record(z.string(), Wording),
  prospect_questions: z.array(
    z.strictObject({ question: Wording, answer: Wording.exactOptional() }),
  ),
  objections: z.array(z.strictObject({ objection: Wording, response: Wording.exactOptional() })),
  summary: Wording,
  evaluation_summary: Wording,
  prospect_summary: Wording,
});

/** A file of `fixtures/`. */
const FixtureFile: z.ZodType<Omit<Fixture, "name">> = z
  .strictObject({
    about: z.string(),
    agent: Agent,
    metadata: texts.default({}),
    turns: z.array(Turn).min(8).max(25),
    expect: Expectation,
  })
  .transform(({ about, agent, metadata, turns, expect }) => ({
    about,
    rubric: {
      names: agent.names,
      languages: agent.languages,
      defaultLanguage: agent.default_language,
      recordLanguage: agent.record_language,
      questions: listed(agent.questions),
      insights: listed(agent.insights),
      ...(agent.qualification && { qualification: agent.qualification }),
      knowledge: agent.knowledge,
    },
    conversation: { turns, metadata },
    expected: {
      language: expect.language,
      customerName: expect.customer_name,
      qualification: expect.qualification,
      questions: new Map(Object.entries(expect.questions)),
      insights: new Map([
        ...Object.keys(agent.insights).map((key): [string, undefined] => [key, undefined]),
        ...Object.entries(expect.insights),
      ]),
      prospectQuestions: expect.prospect_questions.map(({ question, answer }) => ({
        said: question,
        reply: answer,
      })),
      objections: expect.objections.map(({ objection, response }) => ({
        said: objection,
        reply: response,
      })),
      summaries: {
        summary: expect.summary,
        evaluation: expect.evaluation_summary,
        prospect: expect.prospect_summary,
      },
    },
  }));

function listed(map: Record<string, string>): { key: string; text: string }[] {
  return Object.entries(map).map(([key, text]) => ({ key, text }));
}

const FOLDER = new URL("fixtures/", import.meta.url);

/** All fixtures, by name. They ship with the server, so that a model can be tried wherever it runs. */
export async function loadFixtures(): Promise<Fixture[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(".yaml")).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const yaml: unknown = parse(await readFile(new URL(file, FOLDER), "utf8"));
      return { name: basename(file, ".yaml"), ...FixtureFile.parse(yaml) };
    }),
  );
}
