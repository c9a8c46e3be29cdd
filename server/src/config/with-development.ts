import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { modelVariables } from "#models";
import { speechVariables } from "#platform";

/**
 * The environment of a command that runs beside `npm run dev`. If the shell names a database,
 * nothing of the file counts. Otherwise the file takes precedence, because the shell may hold
 * settings of another installation; for models and speech the shell does.
 */
export function withDevelopment(file: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (environment["SVC_DATABASE_URL"] || !existsSync(file)) return environment;
  const given = Object.entries(environment).filter(([name, value]) => value && placeOf(name));
  // A key goes only to the address that it was given for: the file's to no address of the shell, and the other way round.
  const moved = given
    .filter(([name]) => /(?:URL|STT|TTS)$/.test(name))
    .map(([name]) => placeOf(name)!);
  const own = given.filter(([name]) => !name.endsWith("_KEY") || moved.includes(placeOf(name)!));
  const left = Object.entries(parseEnv(readFileSync(file, "utf8"))).filter(
    ([name]) => !moved.some((place) => placeOf(name)?.startsWith(place)),
  );
  return { ...environment, ...Object.fromEntries([...left, ...own]) };
}

/** The model, speech-to-text or text-to-speech that a variable configures. A fallback's name begins with that of the first. */
function placeOf(name: string): string | undefined {
  if (!Object.hasOwn(modelVariables, name) && !Object.hasOwn(speechVariables, name))
    return undefined;
  const [part] = /STT|TTS|MODEL/.exec(name)!;
  return name.includes("FALLBACK") ? `${part} fallback` : part;
}
