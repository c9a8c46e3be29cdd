import { createAuthenticator } from "#accounts";
import {
  agentFindings,
  DemoAgents,
  embedCurrentVersions,
  KnowledgeSearch,
  KnowledgeVectors,
} from "#agents";
import { createApi } from "#api";
import type { Speech } from "#conversation";
import { FunnelCounter } from "#engagement";
import { createLanguageModel, EmbeddingClient, highestPrice, unpricedModels } from "#models";
import type { LanguageModel, ModelPlace } from "#models";
import {
  createAddressMarks,
  createPersonLinks,
  expectMail,
  forgetErasedMails,
  orderFollowUp,
} from "#followup";
import { JOBS } from "#jobs";
import type { Live, LiveOptions } from "#live";
import { addConsole } from "#operator";
import { startPipeline } from "#pipeline";
import type { Pipeline } from "#pipeline";
import {
  armFailpoints,
  awaitDatabase,
  createDb,
  createDns,
  createEgress,
  deriveKey,
  createJobSender,
  createLog,
  createLoginProbe,
  createLogMail,
  createMetrics,
  createPool,
  createSecrets,
  createSmtpMail,
  databaseReason,
  isDatabaseAway,
  Lifecycle,
  limitConnections,
  MemoryBudget,
  pendingMigrations,
  prepareDatabase,
  runsPart,
  startOperationsServer,
  startPresence,
  startTracing,
  startUpkeep,
  systemClock,
  WatchedClock,
} from "#platform";
import type {
  Clock,
  ConnectionLimit,
  Db,
  Log,
  LoginProbe,
  Mail,
  Metrics,
  Pool,
  ProcessPresence,
  SpeechSettings,
} from "#platform";
import { createRights, Recipients } from "#rights";
import {
  createExporter,
  forgetVisits,
  MailDomains,
  makeLogPartitions,
  StartChallenges,
  visitorAddress,
  Visits,
} from "#sessions";
import { enqueueEvent } from "#webhooks";
import {
  ConfigError,
  QUEUE_CONNECTIONS,
  readConfig,
  redactedConfig,
  servicesOf,
} from "./config.ts";
import type { Config } from "./config.ts";

/** The composition root: the only file that knows every module. */
async function main(config: Config): Promise<void> {
  const { role, instance, release } = config;
  const version = [release.version, release.commit].filter(Boolean).join("+");
  const log = createLog(config.logLevel, undefined, { about: { role, instance }, isDatabaseAway });
  log.info({ config: redactedConfig(config), node: process.version }, "starting");
  if (config.failpoints !== undefined) armFailpoints(config.failpoints);
  const life = new Lifecycle(log, config.shutdown.limitMs);
  const metrics = createMetrics({ role: config.role, commit: config.release.commit });
  if (config.tracesUrl !== undefined) {
    const tracing = await startTracing(config.tracesUrl, { role, instance, version });
    life.onStop("traces", () => tracing.stop());
  }

  const pool = createPool(
    {
      url: config.databaseUrl,
      name: "svc",
      maxConnections: config.databaseConnections,
      statementTimeoutMs: 10_000,
    },
    log,
  );
  const exportPool = createPool(
    {
      url: config.exportDatabaseUrl,
      name: "svc-export",
      maxConnections: config.exportConnections,
      statementTimeoutMs: 3_000,
      muchData: true,
    },
    log,
  );
  const clock = new WatchedClock(systemClock, (jump) => {
    if (jump === undefined) log.info("the clocks agree again");
    else log.error(jump, "a clock has jumped: keep this machine and the database in step");
  });
  metrics.watchClock(() => clock.ahead);
  metrics.watchPool(pool);
  metrics.watchPool(exportPool);
  const db = createDb(pool);
  life.onStop("database", () => Promise.all([db.destroy(), exportPool.end()]));
  let presence: ProcessPresence | undefined;
  life.onStop("presence", async () => presence?.stop());

  // The operations port opens first and closes last: while the process starts, waits for the database
  // or stops, it says so there.
  let hasStarted = false;
  const exportLogin = runsPart(role, "api")
    ? createLoginProbe(config.exportDatabaseUrl)
    : undefined;
  const operations = await startOperationsServer({
    host: config.opsHost,
    port: config.opsPort,
    metrics,
    notReady: async () => [
      ...(hasStarted ? [] : ["starting"]),
      ...(life.stopping ? ["stopping"] : []),
      ...(await databaseTrouble(db, exportLogin)),
    ],
  });
  life.onStop("operations", () => operations.close());

  const isThere = await awaitDatabase(db, { ...config, isStopping: () => life.stopping }, log);
  if (!isThere) return;
  await prepareDatabase(db, { ...config, jobs: JOBS }, log);
  const upkeep = await startUpkeep(
    [
      // Without partitions of their own, turns and events go to the default one.
      {
        run: () => makeLogPartitions(db, PARTITIONS_DAYS_AHEAD),
        failure: "log partitions could not be made",
      },
      { run: () => forgetVisits(db), failure: "old visits could not be forgotten" },
      { run: () => forgetErasedMails(db), failure: "erased mails could not be forgotten" },
    ],
    log,
  );
  life.onStop("upkeep", async () => upkeep.stop());

  const pipeline = await startPipelineRole(config, { log, metrics, life });
  const live =
    config.conversation &&
    (await startLiveRole(config, config.conversation, { db, log, metrics, life }));
  const connections: ConnectionLimit = {
    perAddress: config.connectionsPerAddress,
    trustedProxies: config.trustedProxies,
    addressOf: visitorAddress,
  };
  let requests: number | undefined;
  if (runsPart(role, "api")) {
    requests = 0;
    const funnel = new FunnelCounter({ db, log });
    life.onStop("funnel", () => funnel.write());
    const api = createHttpApi(config, { db, exportPool, log, metrics, funnel, clock });
    api.server.on("request", () => void (requests = (requests ?? 0) + 1));
    if (live !== undefined) api.server.on("upgrade", live.handleUpgrade);
    limitConnections(api.server, connections);
    const url = await api.listen({ host: config.host, port: config.port });
    life.onStop("api", () => api.close());
    log.info({ url }, "listening");
  }
  if (config.role === "live" && live !== undefined) {
    const { startLiveServer } = await import("#live");
    const server = await startLiveServer(live, { ...config, connections });
    life.onStop("live server", () => server.close());
    log.info({ url: server.url }, "listening");
  }
  if (live !== undefined) {
    life.onStop("conversations", async () => {
      await live.stop();
      life.limitRest(config.shutdown.restMs);
    });
  }
  // Jobs are finished while visitors finish talking, and are waited for after them: a long one would
  // leave the conversations no time. What fails here is said there.
  if (pipeline !== undefined)
    life.onStop("jobs", async () => void pipeline.finish().catch(() => {}));
  presence = await startPresence({
    db,
    log,
    clock,
    onDatabaseTime: (databaseMs) => clock.compare(databaseMs),
    role,
    instance,
    version,
    pid: process.pid,
    load: () => ({ ...live?.load, ...pipeline?.load, requests }),
    isDraining: () => life.stopping,
    services: servicesOf(config),
  });
  life.onStop("draining", () => presence.report());
  hasStarted = true;
  log.info({ operationsUrl: operations.url }, "started");
}

/** Background work. `finish` takes no more of it and waits for what was begun. */
async function startPipelineRole(
  config: Config,
  { log, metrics, life }: { log: Log; metrics: Metrics; life: Lifecycle },
): Promise<(Pick<Pipeline, "load"> & { finish(): Promise<void> }) | undefined> {
  const { models, webhooks, publicUrl } = config;
  if (models === undefined || webhooks === undefined) return undefined;
  const { secretKeys } = webhooks;
  const queuePool = createPool(
    {
      url: config.databaseUrl,
      name: "svc-queue",
      maxConnections: QUEUE_CONNECTIONS,
      // Maintenance deletes finished jobs by the thousand.
      statementTimeoutMs: 30_000,
      // A frozen process must let go of the endpoints that it was giving slots to.
      idleInTransactionMs: 3_000,
    },
    log,
  );
  const workPool = createPool(
    {
      url: config.databaseUrl,
      name: "svc-pipeline",
      maxConnections: config.databaseConnections,
      statementTimeoutMs: 10_000,
      // Given up for want of a connection, a delivery that was answered would be sent again.
      waitMs: 10_000,
      // A frozen process must let go of its sessions before their deadlines are overrun by five seconds.
      idleInTransactionMs: 3_000,
      prepared: true,
    },
    log,
  );
  metrics.watchPool(queuePool);
  metrics.watchPool(workPool);
  const workDb = createDb(workPool);
  life.onStop("queue", () => Promise.all([queuePool.end(), workDb.destroy()]));
  const jobs = createJobSender(workDb, log);
  const marks = createAddressMarks(secretKeys);
  const mail = mailOf(config);
  const embeddings = config.embeddings && new EmbeddingClient(config.embeddings, systemClock);
  if (embeddings !== undefined) await embedCurrentVersions(workDb, jobs);
  const pipeline = await startPipeline({
    db: workDb,
    queuePool,
    log,
    metrics,
    clock: systemClock,
    dns: createDns({ servers: config.dnsServers }),
    jobs,
    evaluation: {
      models: {
        first: languageModel(models.first, models.fallback !== undefined),
        fallback: models.fallback && languageModel(models.fallback),
      },
      atOnce: config.evaluateAtOnce,
      withinSecs: config.evaluateWithinSecs,
      retryRate: config.reevaluateRate,
      onEvaluated: [enqueueEvent, orderFollowUp(jobs, marks)],
    },
    embeddings,
    webhooks: {
      ...webhooks,
      egress: createEgress({ ...config.receivers, dnsServers: config.dnsServers }),
      secrets: createSecrets(secretKeys),
      mail: mail ?? createLogMail(log),
    },
    followUp: { mail, marks, links: createPersonLinks({ secretKeys, publicUrl }), publicUrl },
  });
  let finished: Promise<void> | undefined;
  const finish = (): Promise<void> => (finished ??= pipeline.stop());
  life.onStop("pipeline", finish);
  return {
    finish,
    get load() {
      return pipeline.load;
    },
  };
}

/** Conversations. What they run on is loaded only where it is needed: it takes 150 MB. */
async function startLiveRole(
  config: Config,
  { models, speech, livekit, capacity }: NonNullable<Config["conversation"]>,
  { db, log, metrics, life }: { db: Db; log: Log; metrics: Metrics; life: Lifecycle },
): Promise<Live> {
  const { ChatModels, loadEngine, startConversation } = await import("#conversation");
  const { openRooms, startLive } = await import("#live");
  await loadEngine();
  const demoAgents = new DemoAgents(db);
  const embeddings = config.embeddings && new EmbeddingClient(config.embeddings, systemClock);
  const knowledge = new KnowledgeSearch(
    db,
    embeddings && { vectors: new KnowledgeVectors(db, embeddings), clock: systemClock },
  );
  await warnOfUnpriced(db, log, unpricedModels(models));
  const chatModels = new ChatModels({ ...models, clock: systemClock, log });
  await chatModels.watch();
  life.onStop("models", async () => chatModels.stopWatching());
  return startLive({
    db,
    jobs: createJobSender(db, log),
    log,
    metrics,
    clock: systemClock,
    startConversation,
    models: chatModels,
    speech: speech && (await startSpeech(speech, log, life)),
    rooms: livekit && (await openRooms(livekit, log)),
    mail: mailFacts(config, db),
    agents: {
      read: (version) => demoAgents.read(version),
      searchIn: (agent) => knowledge.in(agent),
    },
    capacity,
    accountShare: config.accountShare,
    trustedProxies: config.trustedProxies,
    connectionsPerAddress: config.connectionsPerAddress,
    publicUrl: config.publicUrl,
    evaluateWithinSecs: config.evaluateWithinSecs,
    prices: {
      talk: highestPrice(models),
      evaluation: highestPrice(config.models ?? models),
    },
    drainMs: config.shutdown.conversationsMs,
  });
}

/** A start that failed would end all conversations because of one account's setting. */
async function warnOfUnpriced(db: Db, log: Log, unpriced: string[]): Promise<void> {
  if (unpriced.length === 0) return;
  const limited = (await agentFindings(db)).filter(({ hasCostLimit }) => hasCostLimit);
  if (limited.length === 0) return;
  log.error(
    { agents: limited.map(({ slug }) => slug).slice(0, 10), unpriced },
    "limits in money are never reached, because models have no price: set SVC_MODEL_PRICES",
  );
}

function mailFacts({ mail, secretKeys, dnsServers }: Config, db: Db): LiveOptions["mail"] {
  const domains = new MailDomains(createDns({ servers: dnsServers }), systemClock);
  const hasMailServer = mail !== undefined && secretKeys !== undefined;
  return {
    expect: (sessionId) => expectMail(db, sessionId, { hasMailServer }),
    accepts: (domain) => domains.accepts(domain),
  };
}

/** Looks after it from now on: while it does not answer, visitors are offered text. */
async function startSpeech(settings: SpeechSettings, log: Log, life: Lifecycle): Promise<Speech> {
  const { loadSpeech } = await import("#conversation");
  const { createSpeech } = await loadSpeech();
  const speech = createSpeech({ ...settings, clock: systemClock, log });
  await speech.watch();
  life.onStop("speech", async () => speech.stopWatching());
  return speech;
}

function createHttpApi(
  config: Config,
  parts: {
    db: Db;
    exportPool: Pool;
    log: Log;
    metrics: Metrics;
    funnel: FunnelCounter;
    clock: Clock;
  },
): ReturnType<typeof createApi> {
  const { db, exportPool, log, metrics, funnel, clock } = parts;
  const { publicUrl, liveUrl, livekitUrl, secretKeys } = config;
  const recipients = new Recipients({ db, clock, publicUrl, names: config.recipientNames });
  return createApi({
    log,
    metrics,
    trustedProxies: config.trustedProxies,
    publicRateFactor: config.publicRateFactor,
    securityContact: config.securityContact,
    export: {
      authenticator: createAuthenticator(db, systemClock),
      exporter: createExporter(exportPool, new MemoryBudget(config.exportMemoryBytes)),
      clock: systemClock,
      publicUrl,
      ratePerSecond: config.exportRate,
      rateBurst: config.exportBurst,
    },
    sdk: {
      db,
      visits: new Visits({
        db,
        jobs: createJobSender(db, log),
        clock,
        accountShare: config.accountShare,
        recipientsOf: async (agent) => (await recipients.of(agent))?.sha256,
        challenges:
          secretKeys &&
          new StartChallenges(deriveKey(secretKeys[0], "start challenge"), systemClock),
      }),
      funnel,
      recipients,
      clock: systemClock,
      publicUrl,
      liveUrl,
      livekitUrl,
    },
    person: secretKeys && {
      db,
      links: createPersonLinks({ secretKeys, publicUrl }),
      marks: createAddressMarks(secretKeys),
      rights: createRights({ db, log }),
      mail: mailOf(config) ?? createLogMail(log),
      clock: systemClock,
    },
    addRoutes: (app) =>
      addConsole(app, {
        db,
        jobs: createJobSender(db, log),
        rights: createRights({ db, log }),
        publicUrl,
        cell: config.cell,
        secretKeys,
        receivers: { ...config.receivers, dnsServers: config.dnsServers },
        clock: systemClock,
        oidc: config.oidc,
        log,
        folder: config.consoleFolder,
      }),
    sdkFolder: config.sdkFolder,
  });
}

/** Undefined where no mail server is configured. */
function mailOf({ mail }: Config): Mail | undefined {
  return mail && createSmtpMail(mail);
}

function languageModel(model: ModelPlace, hasFallback = false): LanguageModel {
  return createLanguageModel({ ...model, clock: systemClock, hasFallback });
}

const PARTITIONS_DAYS_AHEAD = 3;

/** One reason per line of `/readyz`. The export's login is asked for only where the database answers. */
async function databaseTrouble(db: Db, exportLogin: LoginProbe | undefined): Promise<string[]> {
  try {
    const pending = await pendingMigrations(db);
    if (pending.length > 0) return pending.map((name) => `migration ${name} has not run`);
    const refused = await exportLogin?.();
    return refused === undefined ? [] : [`export login: ${refused}`];
  } catch (error) {
    return [`database: ${databaseReason(error)}`];
  }
}

const configured = readConfigOrExit();
await main(configured).catch((error: unknown) => {
  const { role, instance } = configured;
  createLog("info", undefined, { about: { role, instance } }).fatal(
    { err: error },
    "could not start",
  );
  process.exit(1);
});

function readConfigOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}
