import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel, startWebhookReceiver } from "@svc/rehearsal";
import {
  addCustomer,
  addReceiver,
  evaluateAgain,
  playEvaluated,
  startScriptedDns,
} from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { Webhook } from "standardwebhooks";
import { countRows } from "../pipeline/count-rows.ts";
import { startPipelineProcess } from "../pipeline/pipeline-process.ts";
import { quantile } from "../runner/figures.ts";
import type { Claim, Tools } from "../runner/proof.ts";
import { ConcurrencyLimit } from "../stage/concurrency-limit.ts";
import { openStage } from "../stage/stage.ts";
import {
  faultsOf,
  MORE_THAN_OUTCOMES,
  judgeGaps,
  matchRequests,
  outOfOrder,
  readDeliveries,
  timedAttempts,
} from "./judge-deliveries.ts";
import type { Gaps } from "./judge-deliveries.ts";
import { firstFail, threeInTen } from "./trouble.ts";
import type { Trouble } from "./trouble.ts";

const KEPT_SHARE = 0.999;
/** In real time: 23 receivers, each failing in its own way. */
const REAL = { retrySecs: 30, evaluations: 2, gaps: 40 };
/** With time scaled: 11 receivers, each failing in any way. */
const SCALED_RETRY_SECS = 2;
const MIN_SCALED = 2_000;
/** The slowest delivery of a go: three attempts that time out. */
const GO_MS = 40_000;

export const threeMeansThree: Claim<undefined> = {
  promise:
    "A webhook that fails is sent three times and never a fourth, about 30 seconds apart, with the same signed bytes and in order",
  bound: `0 faults, a sender that repeats a lost request is caught, gaps of 27 to 33 s in ≥ ${KEPT_SHARE * 100} %, every signature right, by standardwebhooks too`,
  // A hundred thousand deliveries, most of them to receivers that fail, take a quarter of an hour.
  timeLimitSecs: { quick: 90, full: 2700 },
  tier: "nightly",
  formerly: ["retries-keep-their-word"],
  prove: async (tools) => {
    const { seed, sized, say, progress, onEnd, timeLeftMs } = tools;
    const { wanted, evaluations, failures } = sized({
      // A second failure of each would take half a minute more.
      quick: { wanted: MIN_SCALED, evaluations: 182, failures: 1 },
      full: { wanted: 100_000, evaluations: 1_000, failures: 2 },
    });
    const control = await judgeRepeatingSender(tools);
    say(`control: ${control.join("; ")}`);
    const random = new Random(seed);
    const stage = await openStage();
    onEnd(() => stage.close());
    const [real, scaled] = await Promise.all([
      playRetries(tools, stage.database, {
        ...REAL,
        trouble: firstFail(REAL.evaluations * failures),
        mayGoOn: () => false,
      }),
      playRetries(tools, await stage.cloneDatabase(), {
        trouble: threeInTen(() => random.next()),
        retrySecs: SCALED_RETRY_SECS,
        evaluations,
        mayGoOn: (deliveries) => {
          progress(deliveries, wanted, "deliveries");
          return deliveries < wanted && timeLeftMs() > GO_MS;
        },
      }),
    ]);
    for (const { retrySecs, deliveries, outcomes, gaps } of [real, scaled]) {
      say(
        `retries after ${retrySecs} s: ${deliveries} deliveries, ${outcomes} outcomes, ${gaps.gapsMs.length} gaps; ${gaps.early} early, ${gaps.late} late, ${gaps.held} waited for a slot`,
      );
    }
    const faults = [...real.faults, ...scaled.faults];
    for (const fault of faults.slice(0, 10)) say(fault);
    const kept = Math.min(keptShare(real.gaps), keptShare(scaled.gaps));
    const gapSecs = (share: number): string =>
      (quantile(real.gaps.gapsMs, share) / 1_000).toFixed(1);
    const deliveries = (real.deliveries + scaled.deliveries).toLocaleString("en");
    return {
      figure: `${faults.length} faults in ${deliveries} deliveries, gaps kept in ${(kept * 100).toFixed(2)} %, in real time ${gapSecs(0)} to ${gapSecs(1)} s, ${scaled.verified} signatures checked by standardwebhooks`,
      ok:
        faults.length === 0 &&
        control.some((fault) => fault.startsWith(MORE_THAN_OUTCOMES)) &&
        kept >= KEPT_SHARE &&
        real.gaps.gapsMs.length >= REAL.gaps &&
        scaled.deliveries >= MIN_SCALED &&
        scaled.verified > 0,
      size: `${scaled.deliveries.toLocaleString("en")} deliveries`,
    };
  },
};

interface RetryPlan {
  trouble: Trouble;
  /** From one attempt to the next. */
  retrySecs: number;
  /** In one go. The next go begins when all deliveries of the last are finished. */
  evaluations: number;
  mayGoOn(deliveries: number): boolean;
}

interface RetryFindings {
  retrySecs: number;
  deliveries: number;
  outcomes: number;
  faults: string[];
  gaps: Gaps;
  /** Requests whose signature standardwebhooks has checked. */
  verified: number;
}

const VERIFIED_SAMPLE = 12;

/** Delivers to receivers that fail, and judges every delivery by what we recorded and by what they saw. */
async function playRetries(
  { onEnd, timeLeftMs }: Tools,
  database: TestDatabase,
  { trouble, retrySecs, evaluations, mayGoOn }: RetryPlan,
): Promise<RetryFindings> {
  const { plain, secure, named, lookUp } = trouble;
  const dns = await startScriptedDns(({ name, type }) => (type === "A" ? lookUp(name) : []));
  onEnd(() => dns.close());
  const receiver = await startWebhookReceiver({ tls: {}, faults: trouble.faults });
  onEnd(() => receiver.close());
  const model = await startLanguageModel();
  onEnd(() => model.close());
  const { port } = new URL(receiver.url);
  const urls = new Map([
    ...plain.map((path) => [path, receiver.url + path] as const),
    ...secure.map((path) => [path, receiver.secure!.url + path] as const),
    ...named.map((path) => [path, `http://${path.slice(1)}.test:${port}${path}`] as const),
  ]);
  const customer = await addCustomer(database.db);
  const paths = new Map<string, string>();
  const secrets = new Map<string, string>();
  for (const [path, url] of urls) {
    const { id, secret } = await addReceiver(database.db, customer, url);
    paths.set(id, path);
    secrets.set(path, secret);
  }
  receiver.setSecrets([...secrets.values()]);
  const pipeline = startPipelineProcess(database, "pipeline", {
    SVC_MODEL_URL: model.baseUrl,
    SVC_WEBHOOK_RETRY_SECS: String(retrySecs),
    SVC_LOG_LEVEL: "warn",
    SVC_DNS_SERVERS: dns.server,
    NODE_EXTRA_CA_CERTS: receiver.secure!.authorityFile,
  });
  onEnd(() => pipeline.signal("SIGKILL"));

  const gaps: Gaps = { gapsMs: [], early: 0, late: 0, held: 0 };
  const found = { retrySecs, deliveries: 0, outcomes: 0, faults: [] as string[], gaps };
  let lastId = 0;
  let lastRequest = 0;
  do {
    await writeEvaluations(database, customer, evaluations);
    const countUnfinished = (): Promise<number> =>
      countRows(database, "deliveries WHERE finished_at IS NULL");
    while ((await countUnfinished()) > 0 && timeLeftMs() > 0) await delay(250);
    const deliveries = await readDeliveries(database, lastId);
    const requests = receiver.requests(lastRequest);
    const witnessed = matchRequests(deliveries, requests, paths);
    lastId = deliveries.at(-1)?.id ?? lastId;
    lastRequest = requests.at(-1)?.number ?? lastRequest;

    found.deliveries += deliveries.length;
    found.outcomes += deliveries.reduce((sum, { attempts }) => sum + attempts.length, 0);
    found.faults.push(...witnessed.flatMap(faultsOf), ...outOfOrder(witnessed));
    const judged = judgeGaps(witnessed.map(timedAttempts), retrySecs * 1_000);
    gaps.gapsMs.push(...judged.gapsMs);
    for (const kind of ["early", "late", "held"] as const) gaps[kind] += judged[kind];
  } while (mayGoOn(found.deliveries));

  let verified = 0;
  for (const { number, path } of receiver.requests().slice(-VERIFIED_SAMPLE)) {
    const { headers = {}, body } = receiver.content(number) ?? {};
    if (body === undefined) continue;
    const check = (bytes: Buffer): boolean =>
      isVerified(secrets.get(path)!, headers as Record<string, string>, bytes);
    // The control: one bit of the body is flipped.
    const tampered = Buffer.from(body);
    tampered[number % tampered.length]! ^= 1;
    if (!check(body) || check(tampered)) found.faults.push(`standardwebhooks: ${path}`);
    verified += 1;
  }
  if (pipeline.errors() !== "") found.faults.push(pipeline.errors());
  return { ...found, verified };
}

/**
 * The control: keeps its connection, and sends a request again at once if a kept connection is lost.
 * Returns what is wrong with its second delivery, whose request the receiver reads and then drops.
 */
async function judgeRepeatingSender({ onEnd }: Tools): Promise<string[]> {
  const receiver = await startWebhookReceiver({ faults: [{ kind: "close_reused", times: 1 }] });
  onEnd(() => receiver.close());
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onEnd(() => agent.destroy());
  const post = (webhookId: string): Promise<number> =>
    new Promise((resolve) => {
      const headers = { "webhook-id": webhookId };
      const sent = request(receiver.url, { method: "POST", agent, headers }, (response) =>
        response.resume().once("end", () => resolve(response.statusCode!)),
      );
      sent.once("error", () => resolve(post(webhookId))).end("{}");
    });
  await post("evt_1");
  const attempt = { startedAtMs: 0, tookMs: 0, outcome: "answered", status: await post("evt_2") };
  const requests = receiver.requests().filter(({ webhookId }) => webhookId === "evt_2");
  const { bodySha256 = "" } = requests.at(-1)!;
  const delivery = { id: 2, endpointId: "", sessionId: "", webhookId: "evt_2", version: 1 };
  const recorded = { ...delivery, bodySha256, state: "delivered", orphans: 0 };
  return faultsOf({ delivery: { ...recorded, attempts: [attempt] }, requests });
}

const AT_ONCE = 6;
/** Of ten sessions, the last ones are evaluated three times in a row. */
const EVALUATED_ONCE = 8;
const VERSIONS = 3;

/** Writes so many evaluations as fast as it can; of more than eight, some are of the same session. */
async function writeEvaluations(
  { db }: TestDatabase,
  customer: Customer,
  count: number,
): Promise<void> {
  const limit = new ConcurrencyLimit(AT_ONCE);
  const playing: Promise<void>[] = [];
  let left = count;
  for (let number = 0; left > 0; number++) {
    const versions = Math.min(left, number % 10 < EVALUATED_ONCE ? 1 : VERSIONS);
    left -= versions;
    playing.push(
      limit.run(async () => {
        const { id } = await playEvaluated(db, customer);
        for (let version = 2; version <= versions; version++) await evaluateAgain(db, id);
      }),
    );
  }
  await Promise.all(playing);
}

function keptShare({ gapsMs, early, late }: Gaps): number {
  return gapsMs.length === 0 ? 0 : 1 - (early + late) / gapsMs.length;
}

function isVerified(secret: string, headers: Record<string, string>, body: Buffer): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
