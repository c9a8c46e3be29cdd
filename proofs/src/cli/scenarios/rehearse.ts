import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startLanguageModel } from "@svc/rehearsal";
import { words } from "./scenario.ts";
import type { Scenario } from "./scenario.ts";

interface Rehearsed {
  model: string;
  passed: number;
  failed: number;
  scenarios: { transcript: { content: string }[] }[];
}

const greeting = "Good evening, an AI speaks.";
const scenario = (name: string, expected: string): string =>
  `name: ${name}\nvisitor: {says: [Hello]}\nexpect: {must_say: ["${expected}"]}\n`;

/** Plays an agent that greets, and does not sing. */
export const rehearse: Scenario = async ({ judge, directory }) => {
  const folder = join(directory, "agents", "holly");
  await mkdir(join(folder, "scenarios"), { recursive: true });
  const yaml = `name: Holly\nlanguages: {en: {greeting: "${greeting}"}}\n`;
  await writeFile(join(folder, "agent.yaml"), yaml);
  await writeFile(join(folder, "scenarios", "greets.yaml"), scenario("It greets", "an AI speaks"));
  await writeFile(join(folder, "scenarios", "sings.yaml"), scenario("It sings", "la la la"));

  await using model = await rehearsedModel();
  const { environment } = judge.surroundings;
  const withModel = judge.in({
    environment: {
      ...environment,
      SVC_MODEL_URL: model.baseUrl,
      SVC_CONVERSATION_MODEL: "rehearsal",
    },
  });
  const all = ["agents", "rehearse", folder];
  // One at a time: a machine that is busy would take long enough for a line of progress.
  const greets = [...all, "--only", "greets"];
  const failing = ["holly passed 0 of 1 scenarios", 'to hear "la la la"', `agent ${greeting}`];
  await Promise.all([
    withModel.tells([...all, "--only", "sings"], failing, 1),
    withModel.tells(greets, ["holly passed 1 of 1 scenarios with rehearsal."]),
    withModel
      .answers<Rehearsed>([
        ...greets,
        ...words("--model other --at-once 1 --model-url"),
        model.baseUrl,
      ])
      .then(({ model: name, passed, failed, scenarios }) => {
        judge.same([name, passed, failed], ["other", 1, 0], "agents rehearse");
        judge.same(scenarios[0]?.transcript[0]?.content, greeting, "what was heard first");
      }),
    withModel.refuses([...all, "--only", "dances"], 1, "There is no scenario to play in"),
    withModel.refuses([...all, "--at-once", "0"], 2, '"0" is no number of conversations.'),
    withModel.refuses([...all, "--model-url", "here"], 2, '"here" is no address of a model.'),
    withModel.refuses(
      [...greets, "--model-url", "http://127.0.0.1:1/v1"],
      1,
      "The model left every visitor without an answer.",
    ),
    judge.refuses(all, 2, "svc does not know which model to ask."),
  ]);
};

async function rehearsedModel(): Promise<{ baseUrl: string } & AsyncDisposable> {
  const { baseUrl, close } = await startLanguageModel();
  return { baseUrl, [Symbol.asyncDispose]: close };
}
