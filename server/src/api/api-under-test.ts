import { FunnelCounter } from "#engagement";
import {
  createDb,
  createJobSender,
  createLog,
  createMetrics,
  createPool,
  systemClock,
} from "#platform";
import type { Db, Log, ServiceNames } from "#platform";
import { Recipients } from "#rights";
import { Visits } from "#sessions";
import type { ExportPage, ExportRequest } from "#sessions";
import type { FastifyInstance } from "fastify";
import type { ExportRoutes } from "./export-routes.ts";
import type { PersonRoutes } from "./person/person-routes.ts";
import type { SdkRoutes } from "./sdk-routes.ts";
import { createApi } from "./server.ts";

/** For tests: the whole api over parts that a test may replace. The tokens `good` and `other` are known. */
export function createApiUnderTest(
  options: Partial<ExportRoutes> & {
    log?: Log;
    trustedProxies?: string[];
    publicRateFactor?: number;
    sdk?: SdkRoutes;
    person?: PersonRoutes;
    sdkFolder?: string;
    securityContact?: string;
  } = {},
): FastifyInstance {
  const {
    log = silent,
    trustedProxies = [],
    publicRateFactor = 0,
    sdk = sdkOver(nowhere),
    person,
    sdkFolder = "",
    securityContact,
    ...replaced
  } = options;
  return createApi({
    log,
    securityContact,
    metrics: createMetrics(),
    trustedProxies,
    publicRateFactor,
    export: {
      authenticator: { authenticate: async (header) => KNOWN[header ?? ""] },
      exporter: { page: async () => emptyPage() },
      clock: systemClock,
      publicUrl: "https://api.example.com",
      ratePerSecond: 100,
      rateBurst: 1_000,
      ...replaced,
    },
    sdk,
    person,
    sdkFolder,
  });
}

const silent = createLog("silent");

/** Connects when it is asked, and nobody answers. */
export const nowhere: Db = createDb(
  createPool(
    {
      url: "postgres://nobody@127.0.0.1:1/nothing",
      name: "nowhere",
      maxConnections: 1,
      statementTimeoutMs: 1_000,
    },
    silent,
  ),
);

export function sdkOver(db: Db, names: ServiceNames = new Map()): SdkRoutes {
  const publicUrl = "https://api.example.com";
  const recipients = new Recipients({ db, clock: systemClock, publicUrl, names });
  return {
    db,
    visits: new Visits({
      db,
      jobs: createJobSender(db, silent),
      clock: systemClock,
      accountShare: 0.75,
      recipientsOf: async (agent) => (await recipients.of(agent))?.sha256,
    }),
    recipients,
    funnel: new FunnelCounter({ db, log: silent }),
    clock: systemClock,
    publicUrl,
    liveUrl: "wss://live.example.com/sdk/v1/live",
  };
}

const account = {
  id: 7,
  clientId: "client_aa",
  name: "Example Ltd",
  exportMode: "settled_prefix",
} as const;
const KNOWN: Record<string, { account: typeof account; tokenId: number }> = {
  "Bearer good": { account, tokenId: 1 },
  "Bearer other": { account, tokenId: 2 },
};

export const GOOD = { authorization: "Bearer good" } as const;

export function emptyPage(): ExportPage {
  return {
    body: Buffer.from('{"items":[]}'),
    last: undefined,
    completeThrough: "2026-01-01T00:00:00.001Z",
    held: 0,
    release: () => {},
  };
}

/** An exporter that remembers what it was asked for and answers one page. */
export function recordingExporter(page: Partial<ExportPage> = {}): {
  asked: ExportRequest[];
  exporter: ExportRoutes["exporter"];
} {
  const asked: ExportRequest[] = [];
  const exporter = {
    page: async (request: ExportRequest) => {
      asked.push(request);
      return { ...emptyPage(), ...page };
    },
  };
  return { asked, exporter };
}
