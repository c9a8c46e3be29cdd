import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** What became of one `svc rubric score --json`. */
export interface Scored {
  exitCode: number;
  /** What it printed, as far as it is looked at here; absent when it broke down. */
  score?: {
    fixtures: number;
    agreed: number;
    compared: number;
    disagreements: Disagreement[];
    unjudged: { fixture: string; failure: string }[];
  };
  errors: string;
}

interface Disagreement {
  fixture: string;
  field: string;
  which?: string;
  expected: string;
  got: string;
}

/** Starts `svc` as a process of its own, as an operator does. */
export async function runScore(
  cli: string,
  model: { url: string; name: string },
  { home, signal }: { home: string; signal: AbortSignal },
): Promise<Scored> {
  const child = spawn(process.execPath, [cli, "rubric", "score", "--json"], {
    cwd: home,
    signal,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      // Half of each start would be spent on reading the same packages.
      NODE_COMPILE_CACHE: join(home, "compiled"),
      SVC_MODEL_URL: model.url,
      SVC_EVALUATION_MODEL: model.name,
      // They must be set, and are never opened.
      SVC_DATABASE_URL: "postgresql://svc@127.0.0.1:9/nothing",
      SVC_EXPORT_DATABASE_URL: "postgresql://svc_export@127.0.0.1:9/nothing",
    },
  });
  let printed = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  // Aborted: nobody waits for it any more.
  child.on("error", () => {});
  const [exitCode] = (await once(child, "close")) as [number];
  const score = printed === "" ? {} : { score: JSON.parse(printed) as Scored["score"] & object };
  return { exitCode, errors, ...score };
}

/** Everything was judged, and everything agrees. */
export function isWhole({ exitCode, score }: Scored): boolean {
  if (exitCode !== 0 || score === undefined) return false;
  const { fixtures, agreed, compared, unjudged } = score;
  return fixtures === 20 && agreed > 0 && agreed === compared && unjudged.length === 0;
}

/** A score that tells the defect. A `svc` that breaks down tells nothing. */
export function isCaught({ exitCode, score }: Scored): boolean {
  return exitCode === 1 && score !== undefined && score.disagreements.length > 0;
}

/** With the first disagreement, for people. */
export function toldOf({ exitCode, score, errors }: Scored): string {
  if (score === undefined) return `exit code ${exitCode}, ${errors.trim()}`;
  const told = `${score.agreed} of ${score.compared} agree`;
  const [first] = score.disagreements;
  if (first === undefined) return told;
  const { fixture, field, which, expected, got } = first;
  const place = which === undefined ? field : `${field} ${which}`;
  return `${told}; in ${fixture} ${place} is ${got}, not ${expected}`;
}
