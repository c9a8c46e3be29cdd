#!/usr/bin/env node
import { userInfo } from "node:os";
import { resolve } from "node:path";
import { AppError, createDb, createLog, createPool, systemClock } from "#platform";
import type { Db } from "#platform";
import { ConfigError, configProblems, readOperatorConfig } from "../config.ts";
import type { OperatorConfig } from "../config.ts";
import { runCli } from "./program.ts";
import { progressLine } from "./progress-line.ts";

/** The entry of `svc`: the second composition root beside main.ts, for one command at a time. */
const opened: { db?: Db; config?: OperatorConfig } = {};
const DEVELOPMENT_FILE = resolve(".dev/svc.env");

function config(): OperatorConfig {
  try {
    return (opened.config ??= readOperatorConfig(DEVELOPMENT_FILE));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new AppError("invalid_input", {
      what: "svc does not know which database to use.",
      why: `${error.problems.map(({ name, problem }) => `${name} ${problem}`).join("; ")}.`,
      fix: "Set these variables, or start `npm run dev` in this folder first.",
    });
  }
}

function db(): Db {
  const { databaseUrl } = config();
  const log = createLog("silent");
  return (opened.db ??= createDb(
    createPool(
      { url: databaseUrl, name: "svc-cli", maxConnections: 4, statementTimeoutMs: 3_600_000 },
      log,
    ),
  ));
}

/** A container may run as a user that has no name. */
function actor(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}

// `svc … | head` closes the pipe early: nobody is left to read the rest.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

const progress = progressLine(process.stderr);
process.exitCode = await runCli(process.argv.slice(2), {
  terminal: {
    width: process.stdout.columns ?? 100,
    color: process.stdout.isTTY && process.stdout.hasColors(),
    nowMs: systemClock.nowMs(),
  },
  operator: {
    db,
    exportDatabaseUrl: () => config().exportDatabaseUrl,
    cell: () => config().cell,
    publicUrl: () => config().publicUrl,
    configProblems: () => configProblems(DEVELOPMENT_FILE),
    clock: systemClock,
    actor: actor(),
    directory: process.cwd(),
    progress,
    note: (text) => void process.stderr.write(`${text}\n`),
  },
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
});
await opened.db?.destroy();
