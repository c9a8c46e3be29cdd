import { readFileSync } from "node:fs";
import { errorCode } from "#platform";

/**
 * The variables whose value may be a secret. Each can name a file in its place, as orchestrators
 * hand secrets over: SVC_MODEL_KEY_FILE for SVC_MODEL_KEY. SVC_DKIM_KEY_FILE is a file already.
 */
const SECRETS: ReadonlySet<string> = new Set([
  "SVC_DATABASE_URL",
  "SVC_EXPORT_DATABASE_URL",
  "SVC_TRACES_URL",
  "SVC_MODEL_KEY",
  "SVC_FALLBACK_MODEL_KEY",
  "SVC_EMBEDDINGS_KEY",
  "SVC_MODEL_BODY",
  "SVC_STT_KEY",
  "SVC_TTS_KEY",
  "SVC_FALLBACK_STT_KEY",
  "SVC_FALLBACK_TTS_KEY",
  "SVC_SECRET_KEYS",
  "SVC_SERVER_TOKEN",
  "SVC_SMTP_URL",
  "SVC_OIDC_CLIENT_SECRET",
  "SVC_LIVEKIT_KEY",
  "SVC_LIVEKIT_SECRET",
]);

/** The variable that names a file with this one's value; undefined for one that holds no secret. */
export function fileVariableOf(name: string): string | undefined {
  return SECRETS.has(name) ? `${name}_FILE` : undefined;
}

/** The variable whose value is in the file that this one names; any other name is returned as it is. */
export function variableOf(name: string): string {
  const base = name.replace(/_FILE$/, "");
  return SECRETS.has(base) ? base : name;
}

export interface FileProblem {
  /** The variable that names the file. */
  name: string;
  problem: string;
}

/**
 * Puts what the files hold in place of their names. Only the files of `names` are read: a person
 * who may not read one secret can still run the commands that need another.
 */
export function readSecretFiles(
  names: string[],
  environment: NodeJS.ProcessEnv,
): { environment: NodeJS.ProcessEnv; problems: FileProblem[] } {
  const read: NodeJS.ProcessEnv = { ...environment };
  const problems: FileProblem[] = [];
  for (const name of names) {
    const fileVariable = fileVariableOf(name);
    const path = fileVariable && environment[fileVariable];
    if (!fileVariable || !path) continue;
    const problem = environment[name] ? `is set, and so is ${name}: unset one of them` : undefined;
    const content = problem === undefined ? contentOf(path) : { problem };
    if ("problem" in content) problems.push({ name: fileVariable, problem: content.problem });
    else read[name] = content.value;
  }
  return { environment: read, problems };
}

function contentOf(path: string): { value: string } | { problem: string } {
  try {
    // Editors and `echo` end a file with a line break, which is in no secret.
    const value = readFileSync(path, "utf8").replace(/[\r\n]+$/, "");
    return value === "" ? { problem: "names a file that is empty" } : { value };
  } catch (error) {
    return { problem: `must name a file that this process can read (${errorCode(error)})` };
  }
}
