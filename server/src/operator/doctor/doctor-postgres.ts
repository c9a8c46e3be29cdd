import {
  connectionFacts,
  errorCode,
  livingProcesses,
  transactionFacts,
  TRIED_MEGABYTES,
  tryWriting,
} from "#platform";
import type { ConnectionFacts, TransactionFacts } from "#platform";
import type { Operator } from "../operator.ts";
import { duration } from "../terminal/times.ts";
import type { Check, Finding } from "./check.ts";
import { configured, counted } from "./check.ts";

/** How PostgreSQL itself is doing. */
export const postgresChecks: Check[] = [
  { name: "connections", needsDatabase: true, look: connections },
  { name: "database writes", needsDatabase: true, look: writes },
  { name: "transactions", needsDatabase: true, look: transactions },
];

/** From this share on, a process that starts may not get its connections. */
const NEARLY_ALL = 0.9;

async function connections(operator: Operator): Promise<Finding> {
  const db = operator.db();
  const [facts, processes] = [await connectionFacts(db), await livingProcesses(db)];
  const most = configured(() => processes.map(({ role }) => operator.connectionsOf(role)));
  return judgeConnections(facts, most === "half" ? [] : most);
}

/** @param most what each process may open. */
export function judgeConnections(facts: ConnectionFacts, most: number[]): Finding {
  const { available, used, others } = facts;
  const sum = most.reduce((all, one) => all + one, 0);
  const says = `${used} of ${available} in use; ${counted(most.length, "process", "processes")} may open ${sum}${others === 0 ? "" : `, and other programs have ${others}`}`;
  if (sum + others > available) {
    return {
      state: "warn",
      says,
      fix: "Raise max_connections in PostgreSQL, or lower SVC_DATABASE_CONNECTIONS and SVC_EXPORT_CONNECTIONS. Under load some requests would be answered with 503.",
    };
  }
  if (used < available * NEARLY_ALL) return { state: "ok", says };
  return {
    state: "warn",
    says,
    fix: "Raise max_connections in PostgreSQL, or end what holds them (pg_stat_activity).",
  };
}

async function writes(operator: Operator): Promise<Finding> {
  try {
    await tryWriting(operator.db());
    return { state: "ok", says: `stored ${TRIED_MEGABYTES} MB and took them back` };
  } catch (error) {
    return judgeWriting(error);
  }
}

export function judgeWriting(error: unknown): Finding {
  const code = errorCode(error);
  if (code === "25006") {
    return {
      state: "fail",
      says: "the database only reads: it is a replica, or default_transaction_read_only is on",
      fix: "Let SVC_DATABASE_URL name the primary, or switch default_transaction_read_only off for its login and database.",
    };
  }
  if (code === "53100") {
    return {
      state: "fail",
      says: `the disk is full: ${TRIED_MEGABYTES} MB could not be stored`,
      fix: "Make room on PostgreSQL's disk. Until then no session starts; the export goes on.",
    };
  }
  throw error;
}

/** PostgreSQL starts no transaction from two billion on. It freezes by itself from 200 million on. */
const OLD_TRANSACTIONS = 1_000_000_000;

async function transactions(operator: Operator): Promise<Finding> {
  return judgeTransactions(await transactionFacts(operator.db()));
}

export function judgeTransactions({ oldest, prepared, age }: TransactionFacts): Finding {
  if (prepared !== null) {
    return {
      state: "warn",
      says: `the prepared transaction ${prepared.gid} is open for ${duration(prepared.secs)}, and nothing that was deleted since is cleaned up`,
      fix: `Run \`ROLLBACK PREPARED '${prepared.gid.replaceAll("'", "''")}'\` or COMMIT PREPARED in psql: no transaction of Svc is a prepared one.`,
    };
  }
  if (oldest !== null) {
    return {
      state: "warn",
      says: `a transaction of ${oldest.application || "an unnamed program"} (process ${oldest.pid}) is open for ${duration(oldest.secs)}, and nothing that was deleted since is cleaned up`,
      fix: `End that program, or run \`SELECT pg_terminate_backend(${oldest.pid})\` in psql.`,
    };
  }
  if (age >= OLD_TRANSACTIONS) {
    return {
      state: "fail",
      says: `${age.toLocaleString("en")} transactions are not frozen; at two billion PostgreSQL stops writing`,
      fix: "Run `VACUUM FREEZE` in psql, and find out what keeps autovacuum from it.",
    };
  }
  return { state: "ok", says: "none is left open" };
}
