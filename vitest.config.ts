import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Usually one core less: tests wait for timers and for PostgreSQL more than they compute.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "{contract,sdk,server,rehearsal,tools,proofs}/src/**/*.test.ts",
            "sdk/build/*.test.ts",
          ],
          exclude: ["**/*.db.test.ts", "**/node_modules/**"],
        },
      },
      {
        test: {
          name: "db",
          include: ["server/src/**/*.db.test.ts"],
          globalSetup: "server/src/testing/postgres-global-setup.ts",
          testTimeout: 20_000,
        },
      },
    ],
  },
});
