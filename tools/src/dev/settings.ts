/** The server's settings for development: on loopback, with limits that no experiment reaches. */
export function serverSettings(facts: {
  databaseUrl: string;
  exportDatabaseUrl: string;
  port: number;
  operationsPort: number;
  modelUrl: string;
  speechUrl: string;
  smtpUrl: string;
  secretKeys: string;
}): Record<string, string> {
  return {
    SVC_DATABASE_URL: facts.databaseUrl,
    SVC_EXPORT_DATABASE_URL: facts.exportDatabaseUrl,
    SVC_PUBLIC_URL: `http://127.0.0.1:${facts.port}`,
    SVC_HOST: "127.0.0.1",
    SVC_PORT: String(facts.port),
    SVC_OPS_PORT: String(facts.operationsPort),
    SVC_MODEL_URL: `${facts.modelUrl}/v1`,
    // By the name that the stand-in lists.
    SVC_EVALUATION_MODEL: "rehearsal",
    ...speechAt(facts.speechUrl),
    SVC_SMTP_URL: facts.smtpUrl,
    // The catcher is on this machine.
    SVC_SMTP_TLS: "off",
    SVC_MAIL_FROM: "Svc <hello@svc.test>",
    SVC_SECRET_KEYS: facts.secretKeys,
    // Receivers that one tries out run on the same machine.
    SVC_WEBHOOK_PLAIN_HTTP: "on",
    SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
    SVC_EXPORT_RATE: "10000",
    SVC_EXPORT_BURST: "100000",
    // A restart after a change should not wait for a browser's idle connections.
    SVC_SHUTDOWN_SECS: "2",
    // Shows a line for each request.
    SVC_LOG_LEVEL: "debug",
  };
}

/** The providers whose protocols the stand-in speaks best. It takes any key. */
function speechAt(url: string): Record<string, string> {
  return {
    SVC_STT: "deepgram",
    SVC_STT_URL: url,
    SVC_STT_KEY: "rehearsal",
    SVC_TTS: "cartesia",
    SVC_TTS_URL: url,
    SVC_TTS_KEY: "rehearsal",
  };
}

/** The environment without settings of another installation: `npm run dev` must never touch its database. */
export function childEnvironment(
  environment: NodeJS.ProcessEnv,
  settings: Record<string, string>,
  compileCache: string,
): NodeJS.ProcessEnv {
  const own = Object.entries(environment).filter(([name]) => !name.startsWith("SVC_"));
  // With it each of the many short processes starts in about 0.6 of the time.
  return { NODE_COMPILE_CACHE: compileCache, ...Object.fromEntries(own), ...settings };
}
