import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startLanguageModel } from "@svc/rehearsal";
import {
  addCustomer,
  addReceiver,
  changeAccount,
  makeCertificates,
  operatorEnvironment,
  playEvaluated,
  speechAt,
  startMailServer,
  startScriptedDns,
  startSpeech,
  writeBuilt,
} from "@svc/server/testing";
import type { ServerProcess, TestDatabase } from "@svc/server/testing";
import { freePort } from "@svc/tools/free-port";
import { openStage } from "../stage/stage.ts";
import { moveToSmallDisk } from "../starts/small-disk.ts";
import type { SmallDisk } from "../starts/small-disk.ts";

type Settings = Record<string, string>;

/** A process of each role, and everything that they depend on. Nothing is wrong with it. */
export interface SoundSystem {
  database: TestDatabase;
  disk: SmallDisk;
  processes: Record<"api" | "live" | "pipeline", ServerProcess>;
  /** The operator's settings: those of the processes. Speech takes seconds to try, so it is set only with these. */
  settings: Settings;
  speech: Settings;
  /** Addresses to plant faults with: where nobody listens, and where somebody else does. */
  elsewhere: { closed: string; model: string; liar: string };
  /** What `svc doctor` finds with these settings in place of the right ones. */
  examine(change?: Settings): Promise<Examined[]>;
}

export interface Examined {
  name: string;
  state: "ok" | "warn" | "fail" | "skip";
  says: string;
  fix?: string;
}

const CLI = fileURLToPath(new URL("../../../server/src/operator/cli.ts", import.meta.url));
/** What the doctor says, as the stand-in hears it. */
const SENTENCE = "good morning this is a test of the voice";
const PASSWORD = "right";

export async function openSoundSystem(onEnd: (clean: () => unknown) => void): Promise<SoundSystem> {
  const stage = await openStage({ own: true });
  onEnd(() => stage.close());
  const { database, cluster } = stage;
  const disk = await moveToSmallDisk({ cluster, pool: database.pool }, onEnd);
  await askForPassword(database);
  const folder = await mkdtemp(join(tmpdir(), "svc-doctor-"));
  onEnd(() => rm(folder, { recursive: true }));
  await writeBuilt(folder, "sdk.js", 'var s={version:"1.2.3"};');
  const certificates = makeCertificates();
  onEnd(() => certificates.remove());
  const authorities = join(folder, "authorities.pem");
  await writeFile(authorities, certificates.authority.cert);

  const [model, fallback] = [
    await startLanguageModel({ apiKey: "first" }),
    await startLanguageModel({ apiKey: "second" }),
  ];
  const speech = await startSpeech({ apiKey: "test", otherwise: SENTENCE });
  const mail = await startMailServer({
    tls: certificates.issue(["IP:127.0.0.1"]),
    login: { user: "svc", password: PASSWORD },
  });
  const names = await startScriptedDns(() => "nxdomain");
  const liar = await startScriptedDns(() => ["192.0.2.1"]);
  for (const one of [model, fallback, speech, mail, names, liar]) onEnd(() => one.close());

  await fillRecord(database);
  const closed = `127.0.0.1:${await freePort()}`;
  const common: Settings = {
    SVC_EXPORT_DATABASE_URL: database.exportUrl.replace("svc_export@", `svc_export:${PASSWORD}@`),
    SVC_SDK_DIR: folder,
    SVC_SHUTDOWN_SECS: "1",
    SVC_MODEL_URL: model.baseUrl,
    SVC_MODEL_KEY: "first",
    SVC_EVALUATION_MODEL: "rehearsal",
    SVC_FALLBACK_MODEL_URL: fallback.baseUrl,
    SVC_FALLBACK_MODEL_KEY: "second",
    SVC_EVALUATION_FALLBACK_MODEL: "rehearsal",
    SVC_MODEL_PRICES: "rehearsal=1/2",
    SVC_DNS_SERVERS: names.server,
    SVC_SMTP_URL: `smtp://svc:${PASSWORD}@127.0.0.1:${mail.port}`,
    SVC_MAIL_FROM: "hello@svc.test",
    NODE_EXTRA_CA_CERTS: authorities,
  };
  const speaking = speechAt(speech.url);
  const [api, live, pipeline] = await Promise.all(
    (["api", "live", "pipeline"] as const).map((role) =>
      stage.startServer({ ...common, ...speaking, SVC_ROLE: role }),
    ),
  );
  const settings: Settings = {
    ...operatorEnvironment(database),
    ...common,
    SVC_ROLE: "all",
    SVC_PUBLIC_URL: api!.url,
    SVC_LIVE_URL: `${live!.url.replace("http", "ws")}/sdk/v1/live`,
    NODE_COMPILE_CACHE: join(folder, "compiled"),
  };
  return {
    database,
    disk,
    processes: { api: api!, live: live!, pipeline: pipeline! },
    settings,
    speech: speaking,
    elsewhere: { closed, model: model.url, liar: liar.server },
    examine: (change = {}) => examine({ ...settings, ...change }),
  };
}

function examine(env: Settings): Promise<Examined[]> {
  const options = { env: { PATH: process.env["PATH"], ...env } };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [CLI, "doctor", "--json"], options, (error, out, err) => {
      if (out === "") reject(error ?? new Error(err));
      else resolve((JSON.parse(out) as { checks: Examined[] }).checks);
    });
  });
}

/** The cluster of a stage believes everybody; a wrong password must be refused. */
async function askForPassword({ pool }: TestDatabase): Promise<void> {
  const { rows } = await pool.query<{ hba_file: string }>("SHOW hba_file");
  const file = rows[0]!.hba_file;
  const rules = await readFile(file, "utf8");
  await writeFile(file, `host all svc_export all scram-sha-256\n${rules}`);
  await pool.query(`ALTER ROLE svc_export PASSWORD '${PASSWORD}'; SELECT pg_reload_conf()`);
}

/** A customer with a default agent, a limit in money, and deliveries that all arrived. */
async function fillRecord(database: TestDatabase): Promise<void> {
  const { db, pool } = database;
  const customer = await addCustomer(db);
  await changeAccount(db, customer, {
    defaultAgentId: customer.agent.agentId,
    limits: { cost_micros_per_session: 1_000_000 },
  });
  await addReceiver(db, customer, "https://crm.example.com/svc");
  for (let count = 0; count < 4; count++) await playEvaluated(db, customer);
  await pool.query("UPDATE deliveries SET state = 'delivered', finished_at = now()");
}

/** Resolves when all processes have reported themselves a moment ago. */
export async function untilReported({ pool }: TestDatabase): Promise<void> {
  const late =
    "SELECT FROM processes WHERE renewed_at < now() - interval '4 seconds' UNION ALL SELECT FROM live_processes WHERE renewed_at < now() - interval '4 seconds'";
  while ((await pool.query(late)).rowCount !== 0) await delay(100);
}
