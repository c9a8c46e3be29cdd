import { stat } from "node:fs/promises";
import { join } from "node:path";
import { databaseFacts, migrationStatus } from "#platform";
import type { DatabaseFacts } from "#platform";
import { askExportRole, listLogDays, overdueSessions } from "#sessions";
import type { Operator } from "../operator.ts";
import { explain } from "../terminal/explain-error.ts";
import { NEEDS_CONFIGURATION, configured } from "./check.ts";
import type { Check, Finding } from "./check.ts";
import { mailChecks } from "./doctor-mail.ts";
import { modelChecks } from "./doctor-models.ts";
import { speechChecks } from "./doctor-speech.ts";

/** In the order in which one thing depends on another. Every part that can fail has its check here. */
export const checks: Check[] = [
  { name: "configuration", needsDatabase: false, look: configuration },
  { name: "database", needsDatabase: false, look: database },
  { name: "version", needsDatabase: true, look: version },
  { name: "encoding", needsDatabase: true, look: encoding },
  { name: "migrations", needsDatabase: true, look: migrations },
  { name: "export login", needsDatabase: true, look: exportLogin },
  { name: "clock", needsDatabase: true, look: clock },
  { name: "log partitions", needsDatabase: true, look: logPartitions },
  { name: "sdk", needsDatabase: false, look: sdk },
  ...modelChecks,
  { name: "unsettled sessions", needsDatabase: true, look: unsettledSessions },
  ...speechChecks,
  ...mailChecks,
];

async function configuration(operator: Operator): Promise<Finding> {
  const problems = operator.configProblems();
  if (problems.length === 0) return { state: "ok", says: "every required variable is set" };
  return {
    state: "fail",
    says: problems.map(({ name, problem }) => `${name} ${problem}`).join("; "),
    fix: `Set ${problems.map(({ name, meaning }) => `${name} (${meaning})`).join(", ")}.`,
  };
}

async function database(operator: Operator): Promise<Finding> {
  await databaseFacts(operator.db());
  return { state: "ok", says: "PostgreSQL answers" };
}

const SUPPORTED = { oldest: 15, newest: 18 } as const;

async function version(operator: Operator): Promise<Finding> {
  return judgeVersion(await databaseFacts(operator.db()));
}

export function judgeVersion({
  version: text,
  major,
}: Pick<DatabaseFacts, "version" | "major">): Finding {
  const says = `PostgreSQL ${text}`;
  if (major < SUPPORTED.oldest) {
    return { state: "fail", says, fix: `Upgrade it: Svc needs ${SUPPORTED.oldest} or newer.` };
  }
  if (major > SUPPORTED.newest) {
    return {
      state: "warn",
      says,
      fix: `Use ${SUPPORTED.newest} if something is odd: newer ones are not tested.`,
    };
  }
  return { state: "ok", says };
}

async function encoding(operator: Operator): Promise<Finding> {
  const { encoding: name } = await databaseFacts(operator.db());
  if (name === "UTF8") return { state: "ok", says: name };
  return {
    state: "fail",
    says: `${name}, which cannot hold every language`,
    fix: "Create a database with ENCODING 'UTF8' and restore into it.",
  };
}

async function migrations(operator: Operator): Promise<Finding> {
  const all = await migrationStatus(operator.db());
  const missing = all.filter((one) => one.appliedAt === undefined);
  const newer = all.filter((one) => one.isNewer);
  if (missing.length === 0 && newer.length > 0) {
    return {
      state: "warn",
      says: `${newer.map((one) => one.name).join(", ")} came with a later release`,
      fix: "Finish the upgrade. This release works with the schema of the release after it, not with any later one.",
    };
  }
  if (missing.length === 0) return { state: "ok", says: `all ${all.length} have run` };
  return {
    state: "fail",
    says: `${missing.map((one) => one.name).join(", ")} has not run`,
    fix: "Run `svc db migrate`.",
  };
}

/** Really logs in: a policy that is written but does not bite is worse than none. */
async function exportLogin(operator: Operator): Promise<Finding> {
  const role = await askExportRole(operator.exportDatabaseUrl()).catch((error: unknown) => error);
  if (role instanceof Error) {
    return {
      state: "fail",
      says: explain(role).why,
      fix: "Run `svc db migrate`, which gives svc_export the login in SVC_EXPORT_DATABASE_URL.",
    };
  }
  const {
    user,
    held,
    seesRows,
    database: mark,
  } = role as Awaited<ReturnType<typeof askExportRole>>;
  if (!held || seesRows) {
    return {
      state: "fail",
      says: `${user} is not held by row-level security and sees every account`,
      fix: `Take SUPERUSER and BYPASSRLS from ${user}, and switch row-level security on for session_exports, sessions and account_clocks.`,
    };
  }
  const own: DatabaseFacts = await databaseFacts(operator.db());
  if (own.database !== mark) {
    return {
      state: "warn",
      says: `${user} logs in to another database`,
      fix: "Let both addresses name the same database, unless one is its replica.",
    };
  }
  return { state: "ok", says: `${user} logs in and sees no row until an account is named` };
}

/** More than a restart or a busy machine explains. */
const MAX_CLOCK_DIFFERENCE_MS = 2_000;

async function clock(operator: Operator): Promise<Finding> {
  const beforeMs = operator.clock.nowMs();
  const { nowMs } = await databaseFacts(operator.db());
  const apartMs = Math.round(nowMs - (beforeMs + operator.clock.nowMs()) / 2);
  const says = `the database is ${Math.abs(apartMs).toLocaleString("en")} ms ${apartMs < 0 ? "behind" : "ahead of"} this machine`;
  if (Math.abs(apartMs) <= MAX_CLOCK_DIFFERENCE_MS) return { state: "ok", says };
  return { state: "warn", says, fix: "Keep both machines' clocks in step, for example by NTP." };
}

async function logPartitions(operator: Operator): Promise<Finding> {
  const missing = (await listLogDays(operator.db())).filter((day) => !day.made);
  if (missing.length === 0) return { state: "ok", says: "today and tomorrow are there" };
  return {
    state: "warn",
    says: `none for ${missing.map(({ day }) => day).join(" and ")}`,
    fix: "Start a server: it makes them, and nothing is lost meanwhile.",
  };
}

/** The sweeper's own delay, and some more. */
const OVERDUE_GRACE_SECS = 60;

async function unsettledSessions(operator: Operator): Promise<Finding> {
  const { count, oldest } = await overdueSessions(operator.db(), OVERDUE_GRACE_SECS);
  if (oldest === undefined) return { state: "ok", says: "none is past its deadline" };
  return {
    state: "warn",
    says: `${count.toLocaleString("en")} past their deadline, the oldest is ${oldest.sessionId}`,
    fix: `Run \`svc sessions show ${oldest.sessionId}\` for what it waits for. Sessions behind it are held back from the export.`,
  };
}

/** Checks that pages get the SDK's script. */
async function sdk(operator: Operator): Promise<Finding> {
  const folder = configured(() => operator.sdkFolder());
  if (folder === "half") return NEEDS_CONFIGURATION;
  if (folder === undefined) return { state: "ok", says: "not served in this role (SVC_ROLE)" };
  const file = join(folder, "sdk.js");
  const isBuilt = await stat(file).then(
    () => true,
    () => false,
  );
  if (isBuilt) return { state: "ok", says: `served from ${folder}` };
  return {
    state: "fail",
    says: `the SDK is not built: ${file} is missing`,
    fix: "Run `npm run build`, or set SVC_SDK_DIR to where its files are. Until then no page gets its script.",
  };
}
