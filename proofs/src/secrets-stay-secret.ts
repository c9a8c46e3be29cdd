import { createHmac, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel, startWebhookReceiver } from "@svc/rehearsal";
import { addCustomer, end, EXAMPLE_TURNS, say as speak, start } from "@svc/server/testing";
import { Webhook } from "standardwebhooks";
import { PASSWORDS, environmentOf } from "./cli/scenarios/scenario.ts";
import { Svc } from "./cli/svc.ts";
import { findCanaries } from "./deliveries/canaries.ts";
import type { Canary, Readable } from "./deliveries/canaries.ts";
import { dumpDatabase } from "./deliveries/dump-database.ts";
import { startLoudServer } from "./deliveries/loud-server.ts";
import type { LoudServer } from "./deliveries/loud-server.ts";
import { startTelltaleProvider } from "./deliveries/telltale-provider.ts";
import { proof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

await proof(
  {
    promise: "Secrets are shown once, when they are issued, and never again",
    bound: "0 secrets in logs, errors, metrics, commands or a dump, 0 faults while keys are changed",
    timeLimitSecs: { quick: 90 },
  },
  async ({ say, onEnd, timeLeftMs }) => {
    const stage = await openStage();
    onEnd(() => stage.close());
    const { database } = stage;
    const directory = await mkdtemp(join(tmpdir(), "svc-secrets-"));
    onEnd(() => rm(directory, { recursive: true, force: true }));
    const svc = new Svc(join(directory, "compiled"));
    onEnd(() => svc.close());
    const receiver = await startWebhookReceiver();
    onEnd(() => receiver.close());

    const seen: Readable[] = [];
    const faults: string[] = [];
    const check = (isSo: boolean, otherwise: string): void => void (isSo || faults.push(otherwise));
    const keys = { k1: newKey(), k2: newKey(), k3: newKey() };
    const modelKey = `sk-${newKey()}`;
    const customer = await addCustomer(database.db, { name: "Acme" });
    const canaries: Canary[] = [
      ...Object.entries(keys).map(([id, secret]) => ({ name: `the key ${id}`, secret })),
      { name: "the model's key", secret: modelKey },
      { name: "an API token", secret: customer.token },
      { name: "the owner's password", secret: PASSWORDS.owner },
      { name: "the export's password", secret: PASSWORDS.export },
    ];
    const model = await startLanguageModel({ apiKey: modelKey });
    onEnd(() => model.close());
    const telltale = await startTelltaleProvider();
    onEnd(() => telltale.close());

    const environmentWith = (...ids: (keyof typeof keys)[]): Record<string, string> => ({
      ...environmentOf(database),
      SVC_ROLE: "all",
      SVC_MIGRATE: "off",
      SVC_MODEL_URL: model.baseUrl,
      SVC_MODEL_KEY: modelKey,
      SVC_EVALUATION_MODEL: "rehearsal",
      SVC_SECRET_KEYS: ids.map((id) => `${id}:${keys[id]}`).join(","),
      SVC_WEBHOOK_RETRY_SECS: "1",
    });
    const servers: LoudServer[] = [];
    onEnd(() => Promise.all(servers.map((server) => server.stop())));
    /** In place of the one before. */
    async function serve(environment: Record<string, string>): Promise<LoudServer> {
      await servers.at(-1)?.stop();
      const server = await startLoudServer(environment);
      servers.push(server);
      return server;
    }
    /** What a command prints, without what it is there to show. */
    async function operate(
      environment: Record<string, string>,
      argv: string[],
    ): Promise<Record<string, unknown>> {
      const run = await svc.run([...argv, "--json"], { environment, directory });
      const answer = run.exitCode === 0 ? (JSON.parse(run.out) as Record<string, unknown>) : {};
      const issued = answer["secret"] ?? answer["token"];
      const rest = typeof issued === "string" ? run.out.replace(issued, "") : run.out;
      if (typeof issued === "string") {
        canaries.push({ name: `what svc ${argv[0]} ${argv[1]} issued`, secret: issued });
      }
      seen.push({ where: `svc ${argv.join(" ")}`, text: rest + run.err });
      return answer;
    }
    async function talk(): Promise<void> {
      const session = await start(database.db, customer);
      await speak(database.db, session, EXAMPLE_TURNS);
      await end(database.db, session);
    }
    /** The next request, with what it was signed by. */
    async function nextRequest(): Promise<{ headers: Record<string, string>; body: Buffer } | undefined> {
      const before = receiver.counts().total;
      await talk();
      const until = performance.now() + 8_000;
      while (receiver.counts().total === before && performance.now() < until) await delay(20);
      await delay(50);
      const { headers = {}, body } = receiver.content(before + 1) ?? {};
      return body && { headers: headers as Record<string, string>, body };
    }
  },
);
