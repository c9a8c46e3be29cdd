import { createTemplate } from "@svc/server/testing";
import { startPrivatePostgres } from "@svc/tools/postgres";
import type { PrivatePostgres } from "@svc/tools/postgres";

/** One PostgreSQL for all proofs of a run: each clones its own database in it. */
export interface SharedPostgres {
  /** Names it to the processes of the proofs. */
  environment: Record<string, string>;
  stop(): Promise<void>;
}

export const postgresVersion: "15" | "18" = process.env["SVC_TEST_POSTGRES"] === "18" ? "18" : "15";

const NAME = "SVC_PROOF_POSTGRES";

export async function openSharedPostgres(): Promise<SharedPostgres> {
  // Enough for two proofs side by side, each with several processes and their pools.
  const settings = { shared_buffers: "512MB", max_connections: "400" };
  const cluster = await startPrivatePostgres({ version: postgresVersion, settings });
  await createTemplate(cluster.url);
  const { url, directory } = cluster;
  const environment = { [NAME]: JSON.stringify({ url, directory, pid: await cluster.pid() }) };
  return { environment, stop: () => cluster.stop() };
}

/** The run's PostgreSQL as a proof sees it; none where a proof is run without the runner. */
export function sharedPostgres(): PrivatePostgres | undefined {
  const text = process.env[NAME];
  if (text === undefined) return undefined;
  const { url, directory, pid } = JSON.parse(text) as {
    url: string;
    directory: string;
    pid: number;
  };
  return {
    url,
    urlFor(role, database) {
      const other = new URL(url);
      other.username = role;
      other.pathname = `/${database}`;
      return other.href;
    },
    directory,
    pid: () => Promise.resolve(pid),
    // The runner stops it, after the last proof.
    stop: () => Promise.resolve(),
  };
}
