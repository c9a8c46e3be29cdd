import { startPrivatePostgres } from "@svc/tools/postgres";
import type { TestProject } from "vitest/node";
import { createTemplate } from "./database.ts";

declare module "vitest" {
  interface ProvidedContext {
    clusterUrl: string;
  }
}

/** One private PostgreSQL for all database tests. SVC_TEST_POSTGRES chooses 15 or 18. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const version = process.env["SVC_TEST_POSTGRES"] === "18" ? "18" : "15";
  const cluster = await startPrivatePostgres({ version });
  await createTemplate(cluster.url);
  project.provide("clusterUrl", cluster.url);
  return () => cluster.stop();
}
