import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel } from "@svc/rehearsal";
import { addCustomer, playSession } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import { environmentOf, words } from "./scenario.ts";
import type { Scenario } from "./scenario.ts";

interface Evaluated {
  session: One;
  sessions: Many;
}

interface One {
  request: string;
  outcome: string;
  version: number;
  status: string;
  model?: string;
}

interface Many {
  found: number;
  requested: number;
  joined: number;
  refused: number;
}

const FAILED = { settlement: { status: "error", reason: "model_output" } } as const;

/** On a database of its own: a pipeline would evaluate the sessions of the other scenarios too. */
export const evaluate: Scenario = async ({ stage, judge }) => {
  const database = await stage.cloneDatabase();
  const desk = judge.in({ environment: environmentOf(database) });
  const customer = await addCustomer(database.db, { name: "Umbrella" });
  const play = (settled = {}): Promise<{ id: string }> =>
    playSession(database.db, customer, settled);
  const [first, second] = [await play(FAILED), await play(FAILED)];
  const [processed, silent] = [await play(), await play({ turns: [] })];

  const waited = await desk.run(["evaluate", first.id]);
  desk.check(
    waited.exitCode === 3 && /SVC_ROLE=pipeline/.test(waited.out),
    `without a pipeline, svc evaluate exits with ${waited.exitCode} and tells ${waited.out}`,
  );
  const { session: joined } = await desk.answers<Evaluated>(["evaluate", first.id, "--no-wait"]);
  desk.same([joined.request, joined.outcome], ["joined", "not_awaited"], "a second request");
  await desk.tells(["evaluate", second.id, "--no-wait"], ["A new evaluation is asked for."]);
  const errors = words("evaluate --status error --since 1h --account umbrella");
  const { sessions: counted } = await desk.answers<Evaluated>([...errors, "--dry-run"]);
  desk.same([counted.found, counted.requested], [2, 0], "a dry run");
  desk.same(await versions(database, "pending"), 2, "what was asked for");

  const model = await startLanguageModel();
  const pipeline = await stage.startServer(
    {
      SVC_ROLE: "pipeline",
      SVC_MODEL_URL: model.baseUrl,
      SVC_EVALUATION_MODEL: "rehearsal",
    },
    database,
  );
  // What the end of each conversation called for.
  await whenDone(database, 3);
  const { session: one } = await desk.answers<Evaluated>(["evaluate", processed.id]);
  desk.same(
    [one.outcome, one.status, one.model],
    ["written", "processed", "rehearsal"],
    "an evaluation",
  );
  await desk.tells(["evaluate", processed.id], ["status processed", "model rehearsal", "tokens"]);
  const { sessions: left } = await desk.answers<Evaluated>([...errors, "--rate", "50"]);
  desk.same(left.found, 0, "errors after their evaluation");
  const again = words("evaluate --status processed --since 1h --agent guide --rate 50");
  const { sessions: many } = await desk.answers<Evaluated>(again);
  desk.same([many.found, many.requested, many.refused], [3, 3, 0], "evaluating many");
  await desk.tells(again, ["Found 3 with status processed", "svc_evaluations_total"]);

  await Promise.all([
    desk.refuses(["evaluate", silent.id], 1, `Session ${silent.id} cannot be evaluated.`),
    desk.refuses(["evaluate", "umbrella"], 1, "There is no session umbrella."),
    desk.refuses(["evaluate"], 2, "It is not said what to evaluate."),
    desk.refuses(words("evaluate --status error"), 2, "It is not said how far back to go."),
    desk.refuses([...errors, "--rate", "0"], 2, '"0" is no rate.'),
  ]);
  const { rows } = await database.pool.query<{ told: number }>(
    "SELECT count(*)::integer AS told FROM audit WHERE action = 'session.evaluate'",
  );
  // One was asked for by nobody: the end of the session called for it.
  const asked = rows[0]!.told + 1;
  await whenDone(database, asked);
  desk.same(await versions(database, "written"), asked, "evaluations, as the audit tells them");
  await pipeline.stop();
  await model.close();
};

async function versions({ pool }: TestDatabase, state: string): Promise<number> {
  const { rowCount } = await pool.query("SELECT FROM evaluations WHERE state = $1", [state]);
  return rowCount ?? 0;
}

/** Until so many are written and none is under way. */
async function whenDone(database: TestDatabase, many: number): Promise<void> {
  const isDone = async (): Promise<boolean> =>
    (await versions(database, "written")) >= many && (await versions(database, "pending")) === 0;
  for (let look = 0; look < 200 && !(await isDone()); look++) await delay(50);
}
