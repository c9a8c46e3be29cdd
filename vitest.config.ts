import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** SVC_SEED repeats what property tests draw: the gate sets it, so that a red run stays red. */
const seededFastCheck = fileURLToPath(new URL("tools/src/seeded-fast-check.ts", import.meta.url));

export default defineConfig({
  plugins: [
    {
      name: "seeded-fast-check",
      enforce: "pre",
      resolveId: (source, importer) =>
        source === "fast-check" && importer !== seededFastCheck ? seededFastCheck : null,
    },
  ],
  test: {
    // Usually one core less, not one more: but tests wait for timers and for PostgreSQL more than they compute.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "{console,contract,sdk,server,rehearsal,tools,proofs}/src/**/*.test.ts",
            "{sdk,console}/build/*.test.ts",
          ],
          exclude: ["**/*.db.test.ts", "**/node_modules/**"],
          // Ends a test that hangs. It bounds no behaviour, so a busy machine must not reach it.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "db",
          include: ["server/src/**/*.db.test.ts"],
          globalSetup: "server/src/testing/postgres-global-setup.ts",
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
