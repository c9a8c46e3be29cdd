import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Session, SessionEvaluatedEvent } from "@svc/contract/types";
import {
  intendedTurns,
  judgesOf,
  ReplayModel,
  startNameServer,
  startWebhookReceiver,
} from "@svc/rehearsal";
import type { RecordedJudge, ReplaySettings, WebhookReceiver } from "@svc/rehearsal";
import { addReceiver } from "@svc/server/testing";
import { runSvc } from "../pipeline/run-svc.ts";
import { ROOT } from "../runner/claims.ts";
import type { Tools } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { applyCorpus } from "../talks/natural/apply-corpus.ts";
import type { CorpusAgent } from "../talks/natural/apply-corpus.ts";
import { scoreJudge, sumJudges } from "./score-judge.ts";
import type { JudgeScore } from "./score-judge.ts";

export const FAIR_BOUND =
  "honest judges: every status, ≥ 99 % of answers, insights and names, ≥ 97 % of questions and objections, ≥ 97 % of sentences; others: ≥ 95 % published as they should be, 0 wrongly qualified; 0 published that must not be";

const EVALUATED_MS = 120_000;

/** Has every recorded judge judge its talk, from the import to the export and the webhook. */
export async function playJudges({ seed, say, progress, onEnd }: Tools) {
  const folder = process.env["SVC_CORPUS"] ?? join(ROOT, "proofs/corpus");
  const stage = await openStage();
  onEnd(() => stage.close());
  const names = await startNameServer();
  onEnd(() => names.close());
  const receiver = await startWebhookReceiver();
  onEnd(() => receiver.close());
  const settings: ReplaySettings = {
    manner: "obedient",
    verifying: { wrongShare: 0.1, lateShare: 0 },
    seed,
  };
  const model = await ReplayModel.start(settings);
  onEnd(() => model.close());
  const { talks, customer, agents } = await applyCorpus(stage, folder);
  await addReceiver(stage.database.db, customer, receiver.url);
  const { url } = await stage.startServer({
    SVC_ROLE: "all",
    SVC_MODEL_URL: model.baseUrl,
    SVC_EVALUATION_MODEL: "replay",
    SVC_DNS_SERVERS: names.server,
    SVC_WEBHOOK_PLAIN_HTTP: "on",
    SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
    SVC_SHUTDOWN_SECS: "1",
  });
  const home = await mkdtemp(join(tmpdir(), "svc-judges-"));
  onEnd(() => rm(home, { recursive: true }));

  const judges = talks.flatMap(judgesOf);
  const rounds = Map.groupBy(judges, (one) =>
    judgesOf(one.talk).findIndex(({ answer }) => answer === one.answer),
  );
  const play = async (round: RecordedJudge[]): Promise<JudgeScore[]> => {
    model.judges = round;
    const lines = round.map((judge) => importLine(judge, agents.get(judge.talk.agent)!));
    const file = join(home, "talks.ndjson");
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const account = customer.account.clientId;
    await runSvc(stage.database, [
      "sessions",
      "import",
      file,
      "--account",
      account,
      "--unevaluated",
    ]);
    const exported = await readExported(
      url,
      customer.token,
      lines.map(({ id }) => id),
    );
    return Promise.all(
      round.map(async (judge, index) => {
        const { id } = lines[index]!;
        return scoreJudge(judge, exported.get(id)!, await readWebhook(receiver, id));
      }),
    );
  };

  const scores: JudgeScore[] = [];
  for (const round of rounds.values()) {
    scores.push(...(await play(round)));
    progress(scores.length, judges.length, "judges");
  }
  model.reset({ ...settings, verifying: { ...settings.verifying, isBlind: true } });
  const blind = await play(rounds.get(1) ?? []);
  const believed = blind.filter(({ isBelieved }) => isBelieved).length;
  say(`control, a verifier that agrees with everything: ${believed} of ${blind.length} believed`);
  for (const { judge, faults } of scores)
    for (const fault of faults) say(`${judge.talk.id}, ${judge.kind}: ${fault}`);
  const { figure, out } = sumJudges(scores);
  for (const one of out) say(`out of bounds: ${one}`);
  const isControlled = blind.length === 0 || believed > blind.length / 2;
  return {
    figure,
    ok: out.length === 0 && isControlled,
    size: `${judges.length} judges of ${talks.length} talks`,
  };
}

/** The talk as it should have gone, on its own day, or today while that is still to come. */
function importLine({ talk }: RecordedJudge, { agentId }: CorpusAgent) {
  const { metadata = {}, today, turns } = talk;
  const email = turns.findLast(({ action }) => action?.confirm_email)?.action?.confirm_email;
  const startedMs = Math.min(Date.parse(`${today}T09:00:00Z`), Date.now() - 60_000);
  const texts = Object.entries(metadata).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return {
    id: randomUUID(),
    agent_id: agentId,
    ...(texts.length > 0 && { metadata: Object.fromEntries(texts) as Record<string, string> }),
    transcript: intendedTurns(talk, "Hello!"),
    ...(email !== undefined && { email: email.toLowerCase() }),
    duration_secs: 300,
    created_at: new Date(startedMs).toISOString(),
  };
}

/** A session that is not settled yet holds back those behind it. */
async function readExported(
  serverUrl: string,
  token: string,
  ids: string[],
): Promise<Map<string, Session>> {
  const found = new Map<string, Session>();
  const untilMs = performance.now() + EVALUATED_MS;
  const first = `${serverUrl}/v1/sessions.json`;
  for (let page = first; !ids.every((id) => found.has(id));) {
    const response = await fetch(page, { headers: { authorization: `Bearer ${token}` } });
    // On a busy machine the export may ask to be tried again.
    if (!response.ok) {
      if (![429, 503].includes(response.status) || performance.now() > untilMs)
        throw new Error(`the export: ${response.status} ${await response.text()}`);
      await delay(1_000);
      continue;
    }
    const { items } = (await response.json()) as { items: Session[] };
    for (const session of items) found.set(session.id, session);
    if (performance.now() > untilMs) throw new Error("the talks are not in the export");
    const next = /<([^>]+)>; rel="next"/u.exec(response.headers.get("link") ?? "")?.[1];
    page = items.length > 0 && next !== undefined ? next : first;
    if (page === first) await delay(250);
  }
  return found;
}

async function readWebhook(receiver: WebhookReceiver, id: string): Promise<unknown> {
  for (let tries = 0; tries < 200; tries++) {
    const request = receiver.requests().find((one) => one.sessionId === id);
    const body = request && receiver.content(request.number)?.body;
    if (body !== undefined) return (JSON.parse(body.toString()) as SessionEvaluatedEvent).data;
    await delay(100);
  }
  return undefined;
}
