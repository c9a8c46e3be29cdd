import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { modelVariables } from "#models";
import { speechVariables } from "#platform";
import { variableOf } from "./secret-files.ts";

/**
 * The environment of a command that runs beside `npm run dev`. If the shell names a database,
 * nothing of the file counts. Otherwise the file takes precedence, because the shell may hold
 * settings of another installation; for models and speech the shell does.
 */
export function withDevelopment(file: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const namesDatabase = environment["SVC_DATABASE_URL"] || environment["SVC_DATABASE_URL_FILE"];
  if (namesDatabase || !existsSync(file)) return environment;
  const given = Object.entries(environment).filter(([name, value]) => value && placeOf(name));
  // A key goes only to the address that it was given for: the file's to no address of the shell, and the other way round.
  const moved = given
    .filter(([name]) => /(?:URL|STT|TTS)$/.test(name))
    .map(([name]) => placeOf(name)!);
  const own = given.filter(
    ([name]) => !variableOf(name).endsWith("_KEY") || moved.includes(placeOf(name)!),
  );
  const replaced = new Set(own.map(([name]) => variableOf(name)));
  const left = Object.entries(parseEnv(readFileSync(file, "utf8"))).filter(
    ([name]) => !replaced.has(name) && !moved.some((place) => placeOf(name)?.startsWith(place)),
  );
  // A file of the shell's would contradict the value that the development file has.
  const others = Object.entries(environment).filter(([name]) => variableOf(name) === name);
  return Object.fromEntries([...others, ...left, ...own]);
}

/** The model, speech-to-text or text-to-speech that a variable configures. A fallback's name begins with that of the first. */
function placeOf(variable: string): string | undefined {
  const name = variableOf(variable);
  if (!Object.hasOwn(modelVariables, name) && !Object.hasOwn(speechVariables, name))
    return undefined;
  const [part] = /STT|TTS|MODEL/.exec(name)!;
  return name.includes("FALLBACK") ? `${part} fallback` : part;
}
