import { randomInt } from "node:crypto";
import { enableCompileCache } from "node:module";
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { changedClaims, findClaims, heldByTests, readClaims, ROOT } from "./runner/claims.ts";
import type { NamedClaim } from "./runner/claims.ts";
import type { Size } from "./runner/proof.ts";
import { record, resultOf, tableProblems, writeTables } from "./runner/results.ts";
import { runProof } from "./runner/run-proof.ts";
import type { Report } from "./runner/run-proof.ts";
import { failures, reportTable, seconds } from "./runner/table.ts";
import { openSharedPostgres } from "./stage/shared-postgres.ts";

enableCompileCache();

const usage = `npm run prove [claim…]              run all claims, or those named
npm run prove -- --list             what each claim promises
npm run prove -- --changed [commit] run what a change since a commit (HEAD if none is named) touches
npm run prove -- --gate             only what .ci/run checks, at its smallest size
npm run prove -- --full [claim…]    at the real size; the results are kept in RESULTS.md
npm run prove -- --full --rotate 7  the 7th claim only, counted round and round: another one each night
npm run prove -- --record           keep the results of a usual run in RESULTS.md
npm run prove -- --jobs 2           several proofs side by side: for claims that measure no time
npm run prove natural-talks -- --live
                                    play the visitors of the talks against the model that SVC_MODEL_URL,
                                    SVC_CONVERSATION_MODEL and so on name, and write a report
npm run prove -- --tables [--check] bring the tables of README.md and CLAIMS.md in step, or only look

SVC_SEED repeats a run's random choices. SVC_TEST_POSTGRES=18 runs on PostgreSQL 18 instead of 15.
SVC_CORPUS names another folder of talks for natural-talks, SVC_TALKS parts of the names of those to be played live.`;

const { values: flags, positionals: words } = readFlags();
const all = await readClaims();

if (flags.help) {
  console.log(usage);
} else if (flags.list) {
  list();
} else if (flags.tables) {
  await checkTables();
} else {
  await prove();
}

function readFlags() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        changed: { type: "boolean", default: false },
        check: { type: "boolean", default: false },
        full: { type: "boolean", default: false },
        gate: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
        jobs: { type: "string", default: "1" },
        list: { type: "boolean", default: false },
        live: { type: "boolean", default: false },
        rotate: { type: "string" },
        tables: { type: "boolean", default: false },
        record: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}

async function prove(): Promise<void> {
  const chosen = await choose();
  if (flags.live) refuseLive(chosen);
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) {
    // The second one does not wait for cleaning up.
    process.on(signal, () => {
      if (interrupted.signal.aborted) process.exit(1);
      interrupted.abort();
    });
  }
  const size: Size = flags.live ? "live" : flags.full ? "full" : flags.gate ? "gate" : "quick";
  const seed = Number(process.env["SVC_SEED"] ?? (flags.gate ? 1 : randomInt(2 ** 31)));
  console.log(`SVC_SEED=${seed}`);
  const postgres = await openSharedPostgres();
  const reports: Report[] = [];
  const waiting = [...Map.groupBy(chosen, ({ file }) => file)];
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (interrupted.signal.aborted) return;
      const [file, claims] = next;
      const ended = await runProof(`${ROOT}/${file}`, claims, {
        size,
        seed,
        print: (claim, line) => console.log(`${quiet(`${claim} │`)} ${line}`),
        environment: postgres.environment,
        signal: interrupted.signal,
      });
      reports.push(...ended);
      const kept = ended.filter(({ verdict }) => verdict !== "broken").map(resultOf);
      if (flags.full || flags.record) await record(flags.full ? "full" : "nightly", kept, all);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(1, Number(flags.jobs)) }, runNext));
  } finally {
    await postgres.stop();
  }
  const failed = failures(flags.live ? reports.map((one) => ({ ...one, bound: "live" })) : reports);
  const took = `SVC_SEED=${seed}, ${seconds(performance.now())}`;
  const sum = `${reports.length - failed.length} passed, ${failed.length} failed`;
  const table = flags.live ? [] : [reportTable(reports)];
  console.log(["", ...table, took, ...failed, sum].join("\n"));
  process.exitCode = failed.length > 0 || interrupted.signal.aborted ? 1 : 0;
}

/** What a model of one's own does is no result of the product's. */
function refuseLive(chosen: NamedClaim[]): void {
  const isAlone = !(flags.full || flags.gate || flags.record || flags.changed || flags.rotate);
  if (isAlone && words.length > 0 && chosen.every(({ claim }) => claim.live !== undefined)) return;
  const live = all.flatMap(({ name, claim }) => (claim.live === undefined ? [] : [name]));
  console.error(`--live goes with ${live.join(", ")}, and with no other flag.\n\n${usage}`);
  process.exit(2);
}

async function choose(): Promise<NamedClaim[]> {
  const inTier = all.filter(({ claim }) => !flags.gate || claim.tier === "gate");
  if (flags.changed) {
    const { claims, held } = await changedClaims(inTier, words[0] ?? "HEAD");
    const sum = claims.length + held.length;
    const total = all.length + Object.keys(heldByTests).length;
    console.log(`${sum} of ${total} claims are touched by the change.`);
    for (const name of held) runTests(name, heldByTests[name]!.files);
    return claims;
  }
  if (flags.rotate !== undefined) return [all[Number(flags.rotate) % all.length]!];
  if (words.length === 0) return inTier;
  const tests = words.filter((name) => name in heldByTests);
  for (const name of tests) runTests(name, heldByTests[name]!.files);
  const names = words.filter((name) => !(name in heldByTests));
  if (names.length === 0) process.exit();
  try {
    return findClaims(all, names);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}

function runTests(name: string, files: string[]): void {
  console.log(`${name} is held by tests: ${files.join(", ")}`);
  const command = ["vitest", "run", ...files];
  const { status } = spawnSync("npx", command, { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) process.exit(1);
}

function list(): void {
  for (const { name, claim, file } of all) {
    console.log(`${name} [${claim.tier}, ${file}]: ${claim.promise} (${claim.bound})`);
  }
  for (const [name, { promise, bound, files }] of Object.entries(heldByTests)) {
    console.log(`${name} [test, ${files.join(", ")}]: ${promise} (${bound})`);
  }
}

async function checkTables(): Promise<void> {
  if (!flags.check) await writeTables(all);
  const problems = await tableProblems(all);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

function quiet(text: string): string {
  return process.stdout.isTTY ? `\u001b[2m${text}\u001b[22m` : text;
}
