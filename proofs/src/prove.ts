import { readdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { commit, machine } from "./runner/machine.ts";
import { readmeIsInStep, recordResult, writeReadme } from "./runner/results.ts";
import { describeProof, runProof } from "./runner/run-proof.ts";
import type { Report } from "./runner/run-proof.ts";
import { seconds } from "./runner/seconds.ts";
import { failures, summary } from "./runner/summary.ts";

const usage = `npm run prove [name…] [-- --full]   run all proofs, or those named
npm run prove -- --list             what each promises
npm run prove -- --readme [--check] bring the README's table in step with RESULTS.md, or only look`;

const { values: flags, positionals: wanted } = readFlags();
const fileOf = (name: string): string => `${import.meta.dirname}/${name}.ts`;
const all = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && file !== "prove.ts")
  .map((file) => file.slice(0, -".ts".length))
  .toSorted();
const unknown = wanted.filter((name) => !all.includes(name));

if (flags.help) {
  console.log(usage);
} else if (unknown.length > 0) {
  console.error(`No such proof: ${unknown.join(", ")}. There are: ${all.join(", ")}.\n\n${usage}`);
  process.exitCode = 2;
} else if (flags.list) {
  await list();
} else if (flags.readme) {
  await bringReadmeInStep();
} else {
  await prove(wanted.length > 0 ? wanted : all);
}

function readFlags() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        full: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        readme: { type: "boolean", default: false },
        check: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}

async function prove(names: string[]): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) {
    // The second one does not wait for the proof to clean up.
    process.on(signal, () => {
      if (interrupted.signal.aborted) process.exit(1);
      interrupted.abort();
    });
  }

  const reports: Report[] = [];
  for (const name of names) {
    if (interrupted.signal.aborted) break;
    const print = (line: string): void => console.log(`${quiet(`${name} │`)} ${line}`);
    const { signal } = interrupted;
    const report = await runProof(fileOf(name), { full: flags.full, print, signal });
    reports.push(report);
    if (flags.full && report.verdict !== "broken") await record(report);
  }
  const failed = failures(reports);
  const sum = `${reports.length - failed.length} passed, ${failed.length} failed`;
  console.log(["", summary(reports), ...failed, sum].join("\n"));
  process.exitCode = failed.length > 0 || interrupted.signal.aborted ? 1 : 0;
}

async function record(report: Report): Promise<void> {
  await recordResult({
    proof: report.name,
    promise: report.about?.promise ?? "",
    figure: report.figure,
    bound: report.bound,
    verdict: report.verdict,
    size: report.outcome.size ?? "",
    took: seconds(report.tookMs),
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    machine: machine(report.outcome.engines),
  });
}

async function list(): Promise<void> {
  for (const name of all) {
    const about = await describeProof(fileOf(name));
    console.log(`${name}: ${about?.promise ?? "says nothing of itself"} (${about?.bound ?? "?"})`);
  }
}

async function bringReadmeInStep(): Promise<void> {
  if (!flags.check) await writeReadme();
  if (await readmeIsInStep()) return;
  console.error("README.md does not show proofs/RESULTS.md: npm run prove -- --readme");
  process.exitCode = 1;
}

function quiet(text: string): string {
  return process.stdout.isTTY ? `\u001b[2m${text}\u001b[22m` : text;
}
