import { createLog, createMetrics, systemClock } from "#platform";
import type { Log } from "#platform";
import type { ExportPage, ExportRequest } from "#sessions";
import type { FastifyInstance } from "fastify";
import type { ExportRoutes } from "./export-routes.ts";
import { createApi } from "./server.ts";

/** For tests: the whole api over parts that a test may replace. The tokens `good` and `other` are known. */
export function createApiUnderTest(
  options: Partial<ExportRoutes> & { log?: Log; trustedProxies?: string[] } = {},
): FastifyInstance {
  const { log = createLog("silent"), trustedProxies = [], ...replaced } = options;
  return createApi({
    log,
    metrics: createMetrics(),
    trustedProxies,
    export: {
      authenticator: { authenticate: async (header) => KNOWN[header ?? ""] },
      exporter: { page: async () => emptyPage() },
      clock: systemClock,
      publicUrl: "https://api.example.com",
      ratePerSecond: 100,
      rateBurst: 1_000,
      ...replaced,
    },
  });
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
