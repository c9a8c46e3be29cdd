import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Pool } from "../database/db.ts";
import { VERSION } from "../version.ts";

/** One registry per process. Each adapter registers what it measures; the operations port serves it. */
export function createMetrics(build: BuildInfo = {}): Metrics {
  return new Metrics(build);
}

export interface BuildInfo {
  role?: string;
  commit?: string | undefined;
}

export class Metrics extends Registry {
  readonly #pools: Pool[] = [];
  readonly #providers = new Map<string, () => boolean | undefined>();

  constructor({ role = "none", commit = "unknown" }: BuildInfo) {
    super();
    const registers = [this];
    collectDefaultMetrics({ register: this });
    new Gauge({
      name: "svc_build_info",
      help: "Always 1; its labels say what this process runs",
      labelNames: ["role", "version", "commit", "node"],
      registers,
    }).set({ role, commit, version: VERSION, node: process.version }, 1);
    const connections: Gauge = new Gauge({
      name: "svc_database_connections",
      help: "Connections of each pool of this process, by what they do",
      labelNames: ["pool", "state"],
      registers,
      collect: () =>
        this.#eachPool((pool, { totalCount, idleCount }) => {
          connections.set({ pool, state: "busy" }, totalCount - idleCount);
          connections.set({ pool, state: "idle" }, idleCount);
        }),
    });
    const most: Gauge = new Gauge({
      name: "svc_database_connections_max",
      help: "The most connections that each pool opens",
      labelNames: ["pool"],
      registers,
      collect: () => this.#eachPool((pool, { options }) => most.set({ pool }, options.max)),
    });
    const waiting: Gauge = new Gauge({
      name: "svc_database_waiting",
      help: "Queries that wait for a connection of their pool",
      labelNames: ["pool"],
      registers,
      collect: () =>
        this.#eachPool((pool, { waitingCount }) => waiting.set({ pool }, waitingCount)),
    });
    const providers: Gauge = new Gauge({
      name: "svc_provider_up",
      help: "1 while a provider of this service, or its fallback, answers",
      labelNames: ["service"],
      registers,
      collect: () => {
        for (const [service, isUp] of this.#providers) {
          const up = isUp();
          if (up !== undefined) providers.set({ service }, Number(up));
        }
      },
    });
  }

  /** @param ahead read at each scrape: how far the database's clock is ahead, in seconds */
  watchClock(ahead: () => { ofProcess: number; ofExpected: number }): void {
    const gauge: Gauge = new Gauge({
      name: "svc_database_clock_ahead_seconds",
      help: "How far the database's clock is ahead of this process's, and of what its earlier readings lead to expect",
      labelNames: ["of"],
      registers: [this],
      collect: () => {
        const { ofProcess, ofExpected } = ahead();
        gauge.set({ of: "process" }, ofProcess);
        gauge.set({ of: "expected" }, ofExpected);
      },
    });
  }

  /** Shows how busy its connections are, under the name that the pool has in `pg_stat_activity`. */
  watchPool(pool: Pool): void {
    this.#pools.push(pool);
  }

  /** @param isUp read at each scrape; undefined while it is not known. */
  watchProvider(service: string, isUp: () => boolean | undefined): void {
    this.#providers.set(service, isUp);
  }

  #eachPool(show: (name: string, pool: Pool) => void): void {
    for (const pool of this.#pools) show(pool.options.application_name ?? "unnamed", pool);
  }
}
