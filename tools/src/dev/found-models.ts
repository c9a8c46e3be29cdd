import { ExplainedError } from "./explained-error.ts";

/** A language model that could take the stand-in's place. */
export interface FoundModel {
  /** What `--model` takes: `ollama/llama3.2`. */
  choice: string;
  /** Why it is offered: "Ollama answers on port 11434". */
  because: string;
}

interface Place {
  name: string;
  url: string;
  preset?: string;
  /** The variable that holds its key. A place without one is a server on this machine. */
  key?: string;
}

/** By the name that `--model` begins with. */
const PLACES: Record<string, Place> = {
  ollama: { name: "Ollama", url: "http://127.0.0.1:11434/v1" },
  lmstudio: { name: "LM Studio", url: "http://127.0.0.1:1234/v1" },
  vllm: { name: "vLLM", url: "http://127.0.0.1:8000/v1", preset: "vllm" },
  "llama.cpp": { name: "llama.cpp", url: "http://127.0.0.1:8080/v1", preset: "llama.cpp" },
  openai: {
    name: "OpenAI",
    url: "https://api.openai.com/v1",
    preset: "openai",
    key: "OPENAI_API_KEY",
  },
  claude: {
    name: "Anthropic",
    url: "https://api.anthropic.com/v1",
    preset: "claude",
    key: "ANTHROPIC_API_KEY",
  },
  gemini: {
    name: "Google",
    url: "https://generativelanguage.googleapis.com/v1beta/openai",
    preset: "gemini",
    key: "GEMINI_API_KEY",
  },
  mistral: {
    name: "Mistral",
    url: "https://api.mistral.ai/v1",
    preset: "mistral",
    key: "MISTRAL_API_KEY",
  },
};

/** A server on this machine answers at once; one that does not must not hold up the start. */
const ANSWER_WITHIN_MS = 400;

/**
 * The models that this machine offers. Servers on it are asked for their names; of a hosted model
 * only the key is looked for, because nothing may leave the machine unasked.
 */
export async function findModels(
  environment: NodeJS.ProcessEnv,
  places: Record<string, Place> = PLACES,
): Promise<FoundModel[]> {
  const found = await Promise.all(
    Object.entries(places).map(async ([place, { name, url, key }]) => {
      if (key !== undefined) {
        const because = `${key} is set`;
        return environment[key] ? { choice: `${place}/<a model's name>`, because } : undefined;
      }
      const model = await firstModelAt(url);
      const because = `${name} answers on port ${new URL(url).port}`;
      return model === undefined ? undefined : { choice: `${place}/${model}`, because };
    }),
  );
  return found.filter((one) => one !== undefined);
}

/** For the terminal: one line, for the model that is offered first. */
export function offerOf([first]: FoundModel[]): string | undefined {
  if (first === undefined) return undefined;
  return `${first.because}. To talk with it: npm run dev -- --model '${first.choice}'`;
}

async function firstModelAt(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/models`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const { data } = (await answer.json()) as { data?: { id?: unknown }[] };
    // Ollama and LM Studio list models that only make vectors, too.
    const names = (data ?? []).map(({ id }) => id).filter((id) => typeof id === "string");
    return names.find((name) => !name.includes("embed"));
  } catch {
    return undefined;
  }
}

/** The settings of the model that `--model` names, as the shell would have them. */
export function modelChosen(
  choice: string,
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const [, placeName = choice, model = ""] = /^([^/]*)\/(.+)$/.exec(choice) ?? [];
  const place = PLACES[placeName];
  if (place === undefined || model === "") {
    throw new ExplainedError({
      what: `--model does not take "${choice}".`,
      why: "It takes a place, a slash and the model's name there, as in ollama/llama3.2.",
      fix: `The places are ${Object.keys(PLACES).join(", ")}. For any other server set SVC_MODEL_URL.`,
    });
  }
  const key = place.key && environment[place.key];
  if (place.key !== undefined && !key) {
    throw new ExplainedError({
      what: `There is no key for ${place.name}.`,
      why: `--model ${choice} needs one, and ${place.key} is not set in this shell.`,
      fix: `Run \`export ${place.key}=…\` first.`,
    });
  }
  return {
    SVC_MODEL_URL: place.url,
    ...(key && { SVC_MODEL_KEY: key }),
    SVC_CONVERSATION_MODEL: model,
    SVC_EVALUATION_MODEL: model,
    ...(place.preset !== undefined && { SVC_MODEL_PRESETS: `${model}=${place.preset}` }),
  };
}
