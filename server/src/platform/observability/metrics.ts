import { Registry, collectDefaultMetrics } from "prom-client";

/** One registry per process. Each edge registers what it measures; the operations port serves it. */
export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

export type Metrics = Registry;
