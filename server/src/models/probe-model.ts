import type OpenAI from "openai";
import { APIConnectionTimeoutError } from "openai";
import { z } from "zod";
import { explainModelFailure, ModelBusy } from "./model-errors.ts";

/** The result of checking a model at no cost. */
export interface ModelProbe {
  name: string;
  /** The reason why the provider does not answer; undefined if it does. */
  trouble: string | undefined;
  /** False when the provider lists its models, and this one is missing. */
  isListed: boolean;
}

const TIMEOUT_MS = 5_000;

/** Asks its provider which models there are. */
export async function probeModel(client: OpenAI, name: string): Promise<ModelProbe> {
  try {
    const answer: unknown = await client.get("/models", { timeout: TIMEOUT_MS });
    return { name, trouble: undefined, isListed: isListed(name, answer) };
  } catch (error) {
    return { name, trouble: troubleOf(error), isListed: true };
  }
}

const ModelList = z.object({
  data: z.array(z.object({ id: z.string() })).min(1),
  has_more: z.literal(false).nullish(),
});

/** An empty or incomplete list proves nothing. Some providers list `models/<name>` or `<name>:latest`, and accept the name. */
function isListed(name: string, answer: unknown): boolean {
  const { data: list } = ModelList.safeParse(answer);
  const names = [name, `models/${name}`, `${name}:latest`];
  return list === undefined || list.data.some(({ id }) => names.includes(id));
}

/** The cause of a failed request may repeat the key, so only its code is reported. */
function troubleOf(error: unknown): string | undefined {
  if (error instanceof APIConnectionTimeoutError)
    return `did not answer within ${TIMEOUT_MS / 1_000} s`;
  try {
    return explainModelFailure(error);
  } catch (explained) {
    // It answers, only not this often.
    if (explained instanceof ModelBusy) return undefined;
    const what = explained instanceof Error ? explained.message : "failed";
    const code = codeOf(error);
    return code === undefined ? what : `${what} (${code})`;
  }
}

/** The network's error code, such as ECONNREFUSED, from anywhere in the chain of causes. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^[A-Z][A-Z0-9_]+$/.test(code) ? code : codeOf(error.cause);
}
