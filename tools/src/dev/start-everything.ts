import { isAbsolute, relative, resolve } from "node:path";
import { freePort } from "../ports.ts";
import { startLivekit } from "../livekit.ts";
import { startPrivatePostgres } from "../postgres.ts";
import type { PrivatePostgres } from "../postgres.ts";
import { ExplainedError, checkPort } from "./explained-error.ts";
import {
  startConsoleBuilder,
  startSdkBuilder,
  startServer,
  startStandIn,
  svcIn,
} from "./child-processes.ts";
import type { StandIn } from "./child-processes.ts";
import { DevFolder } from "./dev-folder.ts";
import type { Seeded } from "./dev-folder.ts";
import { findModels, modelChosen, offerOf } from "./found-models.ts";
import { LiveState } from "./live-state.ts";
import { startPageServer } from "./page-server.ts";
import { moveProductAgent, receiverPort, registerReceiver, seedDatabase } from "./seed-database.ts";
import {
  childEnvironment,
  ownPlaces,
  ownSettings,
  serverSettings,
  whoIsAsked,
} from "./settings.ts";
import type { DevOptions } from "./settings.ts";
import { LogView, Steps } from "./terminal.ts";

const root = resolve(import.meta.dirname, "../../..");

/** Starts one part after the other. Each hands over how to stop it, so that it is stopped even if a later part fails. */
export async function startEverything(
  options: DevOptions,
  stopRequest: AbortSignal,
  onStop: (stop: () => Promise<void>) => void,
): Promise<void> {
  const folder = new DevFolder(root);
  await refuseSecondRunner(folder);
  await checkPort(options.port, { what: "the server", flag: "--port" });
  await checkPort(options.pagePort, { what: "the start page", flag: "--page-port" });
  const steps = new Steps(stopRequest);

  const kept = options.fresh ? undefined : await folder.readSeeded();
  // This comes first: an interrupted start must not leave a token without its database.
  if (kept === undefined) await folder.forgetSeeded();
  const operationsPort = await freePort();
  const chosen = options.model === undefined ? {} : modelChosen(options.model, process.env);
  const own = { ...ownSettings(process.env), ...chosen };
  const offer =
    ownPlaces(own).model === undefined ? findModels(process.env).then(offerOf) : undefined;
  const state = new LiveState(
    {
      server: options.port,
      operations: operationsPort,
      model: await freePort(),
      speech: await freePort(),
      receiver: await receiverPort(folder),
      inbox: await freePort(),
      smtp: await freePort(),
      names: await freePort(),
    },
    ownPlaces(own),
  );
  const page = await startPageServer({ root, port: options.pagePort, state });
  onStop(() => page.close());
  await folder.writeStartPage(page.url);
  onStop(() => folder.forgetSettings());

  const postgres = await steps.run("database", async () => {
    const started = await startDatabase(folder, kept === undefined);
    onStop(() => started.stop());
    const place = nearby(started.directory);
    state.database = {
      port: Number(new URL(started.url).port),
      detail: `PostgreSQL 18 in ${place}`,
    };
    return [started, `PostgreSQL 18, ${kept === undefined ? "new" : "kept"} in ${place}`];
  });

  const livekit = options.livekit
    ? await steps.run("livekit", async () => {
        const started = await startLivekit();
        onStop(() => started.stop());
        state.livekitUrl = started.url;
        return [started, `at ${started.url}, on this machine only`];
      })
    : undefined;

  const settings = serverSettings({
    databaseUrl: postgres.url,
    exportDatabaseUrl: postgres.urlFor("svc_export", "postgres"),
    port: options.port,
    operationsPort,
    modelUrl: state.modelUrl,
    speechUrl: state.speechUrl,
    smtpUrl: state.smtpUrl,
    dnsServer: state.dnsServer,
    secretKeys: await folder.secretKeys(),
    livekit,
    own,
  });
  await folder.writeSettings(settings);
  const environment = childEnvironment(process.env, settings, folder.compileCache);
  const svc = svcIn(root, environment, stopRequest);

  const log = new LogView();
  const onLine = (line: string): void => log.add(line);
  const around = { root, environment, onLine, signal: stopRequest };
  await steps.run("sdk", async () => {
    const builder = await startSdkBuilder(around);
    onStop(() => builder.stop());
    return [undefined, "built, and again when you save a file of it"];
  });
  await steps.run("stand-ins", async () => {
    const needed = standIns(state);
    for (const one of needed) {
      const started = await startStandIn(around, one);
      onStop(() => started.stop());
    }
    return [undefined, `${needed.map(({ what }) => what).join(", ")}, with no key`];
  });
  await steps.run("schema", async () => {
    const { applied } = (await svc("db", "migrate")) as { applied: string[] };
    return [applied, applied.length === 0 ? "up to date" : `migrated to ${applied.at(-1)}`];
  });
  const seeded = await steps.run("data", async () => {
    const data = kept ?? (await seedDatabase(svc, folder, page.url));
    await moveProductAgent(svc, folder, { account: data.clientId, pageUrl: page.url });
    // This comes before the server starts, so that the first evaluations arrive at the receiver too.
    await registerReceiver(svc, folder, { account: data.clientId, url: state.receiverUrl });
    const made = "an account, a token, two agents, 308 sessions";
    return [data, kept === undefined ? made : "as you left it"];
  });
  state.seeded = seeded;

  await steps.run("server", async () => {
    const server = await startServer(around, () => state.isServerReady()).catch(
      (error: unknown) => {
        if (!stopRequest.aborted) log.showAll();
        throw error;
      },
    );
    onStop(() => server.stop());
    return [server, "ready, restarts when you save a file"];
  });
  // After the server, which it would slow down on a small machine.
  const consoleBuilder = await startConsoleBuilder(around);
  onStop(() => consoleBuilder.stop());
  state.ready = true;
  steps.close(addresses(page.url, state, seeded, await offer));
  log.showFromNow();
}

/** The outside world, without the services that the shell's own settings name. */
function standIns({
  own,
  modelUrl,
  speechUrl,
  receiverUrl,
  inboxUrl,
  smtpUrl,
  dnsServer,
}: LiveState): StandIn[] {
  const model = { what: "a language model", words: [], url: modelUrl };
  const speech = { what: "speech-to-text and a voice", words: ["speech"], url: speechUrl };
  const ports = ["--smtp-port", new URL(smtpUrl).port, "--dns-port", dnsServer.split(":")[1]!];
  return [
    ...(own.model === undefined ? [model] : []),
    ...(own.hearing === undefined || own.voice === undefined ? [speech] : []),
    { what: "a receiver", words: ["receiver"], url: receiverUrl },
    { what: "an inbox and a name server", words: ["mail", ...ports], url: inboxUrl },
  ];
}

async function refuseSecondRunner(folder: DevFolder): Promise<void> {
  const url = await folder.readStartPage();
  if (url === undefined) return;
  const answer = await fetch(`${url}/state.json`, { signal: AbortSignal.timeout(1_000) })
    .then((response) => response.json() as Promise<{ directory?: string }>)
    .catch(() => undefined);
  if (answer?.directory !== root) return;
  throw new ExplainedError({
    what: "It already runs in this folder.",
    why: `Another \`npm run dev\` answers at ${url}, and two cannot share one database.`,
    fix: `Open ${url}, or stop the other one with ctrl-C first.`,
  });
}

async function startDatabase(folder: DevFolder, startOver: boolean): Promise<PrivatePostgres> {
  try {
    return await startPrivatePostgres({ version: "18", keepIn: folder.postgres, startOver });
  } catch (error) {
    throw new ExplainedError({
      what: "The database did not start.",
      // The message of a failed program begins with its whole command line.
      why: (error as Error).message.trim().split("\n").at(-1)!,
      fix: "Start again; if it stays, `npm run dev -- --fresh` begins with a new database.",
    });
  }
}

function addresses(
  pageUrl: string,
  { serverUrl, modelUrl, speechUrl, receiverUrl, inboxUrl, own }: LiveState,
  { token }: Seeded,
  offer: string | undefined,
): [string, string][] {
  const facts: [string, string][] = [
    ["Start here", pageUrl],
    ["Product", `${pageUrl}/product/  made up, with an agent of its own`],
    ["Console", `${serverUrl}/console`],
    ["", "sign in by the link of: npx svc console login --name me --role admin"],
    ["Server", serverUrl],
    ["Model", whoIsAsked(modelUrl, own.model)],
    ["Speech", whoIsAsked(speechUrl, own.hearing, own.voice)],
    ["Webhooks", receiverUrl],
    ["Mail", inboxUrl],
    ["Token", token],
  ];
  if (offer !== undefined) facts.push(["Found", offer]);
  if (process.env["SVC_DATABASE_URL"]) {
    facts.push(["Mind", "SVC_DATABASE_URL is set in this shell: `npx svc` uses that database"]);
  }
  return facts;
}

function nearby(path: string): string {
  const short = relative(root, path);
  return short.startsWith("..") || isAbsolute(short) ? path : short;
}
