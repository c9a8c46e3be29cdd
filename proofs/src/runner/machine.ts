import { execFileSync } from "node:child_process";
import { cpus, totalmem } from "node:os";

/** What a figure was measured on: "2 × Some CPU, 8 GB, Node 24.1.0, PostgreSQL 18.4". */
export function machine(engines: string[] = []): string {
  const processors = cpus();
  const model = (processors[0]?.model ?? "unknown CPU").replaceAll(/\((R|TM)\)/g, "").trim();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const node = `Node ${process.versions.node}`;
  return [`${processors.length} × ${model}`, memory, node, ...engines].join(", ");
}

/** The commit a figure belongs to, and whether files had changed since. */
export function commit(): string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    // Recording a result changes these two.
    const own = [":!proofs/RESULTS.md", ":!README.md"];
    const changed = git("status", "--porcelain", "--", ":/", ...own) !== "";
    return git("rev-parse", "--short", "HEAD") + (changed ? " with changes" : "");
  } catch {
    return "none";
  }
}
