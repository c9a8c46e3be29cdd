import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startLanguageModel } from "@svc/rehearsal";
import { addCustomer, applyFolder, playSession } from "@svc/server/testing";
import type { Scenario } from "./scenario.ts";

interface Tried {
  judged: number;
  sessions: { id: string }[];
}

/** Asks a rehearsed model, which knows the right answers, and one that gives none. */
export const rubric: Scenario = async ({ stage, judge, directory }) => {
  const { db } = stage.database;
  const customer = await addCustomer(db, { name: "Tyrell" });
  const folder = join(directory, "agents", "rachael");
  await judge.answers(["agents", "init", folder]);
  await writeFile(join(folder, "agent.yaml"), "name: Rachael\nquestions: { team: Who? }\n");
  const { agentId, version } = await applyFolder(db, customer.account.id, folder);
  const session = await playSession(db, { ...customer, agent: { agentId, version } });

  await using model = await rehearsedModel();
  const { environment } = judge.surroundings;
  const withModel = judge.in({
    environment: {
      ...environment,
      SVC_MODEL_URL: model.baseUrl,
      SVC_EVALUATION_MODEL: "rehearsal",
    },
  });
  const tryIt = ["rubric", "try", folder, "--account", "tyrell"];
  await Promise.all([
    withModel.tells(["rubric", "score"], ["100 % of what rehearsal says", "was_answered"]),
    withModel
      .answers<{ agreed: number; compared: number }>(["rubric", "score"])
      .then(({ agreed, compared }) =>
        judge.check(agreed === compared && agreed > 0, `${agreed} of ${compared} agree`),
      ),
    withModel.refuses(["rubric", "score", "--model", "mute"], 1, "mute judged no conversation."),
    judge.refuses(["rubric", "score"], 2, "svc does not know which model to ask."),
    withModel.tells(tryIt, ["rehearsal judged 1 session of rachael", "Nothing was written."]),
    withModel
      .answers<Tried>([...tryIt, "--last", "5", "--model", "other"])
      .then(({ judged, sessions }) => {
        judge.same([judged, sessions.map(({ id }) => id)], [1, [session.id]], "rubric try");
      }),
    withModel.refuses([...tryIt, "--last", "0"], 2, '"0" is no number of sessions.'),
    withModel.refuses([...tryIt, "--model", "mute"], 1, "mute judged no conversation."),
  ]);
};

async function rehearsedModel(): Promise<{ baseUrl: string } & AsyncDisposable> {
  const { baseUrl, close } = await startLanguageModel({
    faults: [{ kind: "refusal", model: "mute" }],
  });
  return { baseUrl, [Symbol.asyncDispose]: close };
}
