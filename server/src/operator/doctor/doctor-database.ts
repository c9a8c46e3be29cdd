import { auditRights } from "#accounts";
import type { AuditRights } from "#accounts";
import { databaseFacts, MAX_JUMP_MS, migrationStatus } from "#platform";
import type { DatabaseFacts } from "#platform";
import { askExportRole, clocksAhead, listLogDays } from "#sessions";
import type { Operator } from "../operator.ts";
import { explain } from "../terminal/explain-error.ts";
import { duration } from "../terminal/times.ts";
import { configured, counted, NEEDS_CONFIGURATION } from "./check.ts";
import type { Check, Finding } from "./check.ts";

/** The configuration, the database, and whether the two fit this release and each other. */
export const databaseChecks: Check[] = [
  { name: "configuration", needsDatabase: false, look: configuration },
  { name: "database", needsDatabase: false, look: database },
  { name: "version", needsDatabase: true, look: version },
  { name: "encoding", needsDatabase: true, look: encoding },
  { name: "migrations", needsDatabase: true, look: migrations },
  { name: "export login", needsDatabase: true, look: exportLogin },
  { name: "audit", needsDatabase: true, look: auditLog },
  { name: "clock", needsDatabase: true, look: clock },
  { name: "session times", needsDatabase: true, look: sessionTimes },
  { name: "log partitions", needsDatabase: true, look: logPartitions },
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
  const db = configured(() => operator.db());
  if (db === "half") return NEEDS_CONFIGURATION;
  await databaseFacts(db);
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
  const url = configured(() => operator.exportDatabaseUrl());
  if (url === "half") return NEEDS_CONFIGURATION;
  const role = await askExportRole(url).catch((error: unknown) => error);
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

/** Entries that the server's own login can change prove little once it is stolen. */
async function auditLog(operator: Operator): Promise<Finding> {
  return judgeAudit(await auditRights(operator.db()));
}

export function judgeAudit({ login, isSuperuser, mayEdit, isHidden }: AuditRights): Finding {
  if (isHidden)
    return {
      state: "fail",
      says: `for ${login}, "audit" is something else than the table public.audit`,
      fix: "Somebody may have changed the login's search_path to hide entries. Let an administrator run ALTER ROLE … RESET search_path and ALTER DATABASE … RESET search_path, and look into the other schemas.",
    };
  if (isSuperuser) return { state: "skip", says: `${login} is a superuser, who may do everything` };
  if (!mayEdit) return { state: "ok", says: `${login} adds entries and can change none` };
  return {
    state: "warn",
    says: `${login} can change entries`,
    fix: "Let an administrator give the table to svc_audit, as the page about accounts and tokens says.",
  };
}

/** More than a restart or a busy machine explains. */
const MAX_CLOCK_DIFFERENCE_MS = 2_000;

async function clock(operator: Operator): Promise<Finding> {
  const beforeMs = operator.clock.nowMs();
  const { nowMs } = await databaseFacts(operator.db());
  const tookMs = operator.clock.nowMs() - beforeMs;
  const apartMs = Math.round(nowMs - (beforeMs + tookMs / 2));
  const says = `the database is ${Math.abs(apartMs).toLocaleString("en")} ms ${apartMs < 0 ? "behind" : "ahead of"} this machine`;
  // The database may have looked at its clock at any moment of the wait.
  const leastMs = Math.abs(apartMs) - tookMs / 2;
  if (leastMs <= MAX_CLOCK_DIFFERENCE_MS) return { state: "ok", says };
  return {
    state: leastMs > MAX_JUMP_MS ? "fail" : "warn",
    says,
    fix: "Keep both machines' clocks in step, for example by NTP.",
  };
}

/** A session is never stored as earlier than the one before it, so a clock that jumped ahead stays in the data. */
async function sessionTimes(operator: Operator): Promise<Finding> {
  const { accounts, aheadSecs } = await clocksAhead(operator.db(), MAX_AHEAD_SECS);
  if (accounts === 0) return { state: "ok", says: "none is in the future" };
  return {
    state: "warn",
    says: `${counted(accounts, "account has", "accounts have")} sessions that started in the future, by up to ${duration(aheadSecs)}: the database's clock was ahead`,
    fix: "Keep the database's clock in step, for example by NTP. New sessions of these accounts are stored one millisecond apart until that time has come.",
  };
}

const MAX_AHEAD_SECS = 120;

async function logPartitions(operator: Operator): Promise<Finding> {
  const missing = (await listLogDays(operator.db())).filter((day) => !day.made);
  if (missing.length === 0) return { state: "ok", says: "today and tomorrow are there" };
  return {
    state: "warn",
    says: `none for ${missing.map(({ day }) => day).join(" and ")}`,
    fix: "Start a server: it makes them, and nothing is lost meanwhile.",
  };
}
