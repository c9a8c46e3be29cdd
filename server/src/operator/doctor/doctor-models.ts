import { QUERY_TIMEOUT_MS } from "#agents";
import { ChatModels } from "#conversation";
import { EmbeddingClient } from "#models";
import type { ModelProbe } from "#models";
import { configured, NEEDS_CONFIGURATION, shownUrl } from "./check.ts";
import type { Check, Finding } from "./check.ts";
import type { ModelPlaces, Operator } from "../operator.ts";

/** Checks that the providers accept our keys and know the models, at no cost, except for two words that are embedded. */
export const modelChecks: Check[] = [
  { name: "conversation model", needsDatabase: false, look: (all) => look(all, "conversation") },
  { name: "evaluation model", needsDatabase: false, look: (all) => look(all, "evaluation") },
  { name: "embedding model", needsDatabase: false, look: lookAtEmbeddings },
  { name: "settings of models", needsDatabase: false, look: settings },
];

type Purpose = keyof ReturnType<Operator["modelPlaces"]>;

async function look(operator: Operator, purpose: Purpose): Promise<Finding> {
  const all = configured(() => operator.modelPlaces());
  if (all === "half") return NEEDS_CONFIGURATION;
  const places = all[purpose];
  if (places === undefined) return { state: "ok", says: UNUSED[purpose] };
  const models = new ChatModels({ ...places, clock: operator.clock });
  return judgeModels(purpose, await models.check(), places);
}

/** The second answer is timed: the first also opens the connection. */
async function lookAtEmbeddings(operator: Operator): Promise<Finding> {
  const place = configured(() => operator.embeddingPlace());
  if (place === "half") return NEEDS_CONFIGURATION;
  if (place === undefined)
    return {
      state: "ok",
      says: "not set up (SVC_EMBEDDINGS_MODEL): large knowledge is searched by words alone",
    };
  const { clock } = operator;
  const where = `${place.name} at ${shownUrl(place.url)}`;
  const model = new EmbeddingClient(place, clock);
  try {
    await model.embed({ texts: ["price"], timeoutMs: EMBEDDED_WITHIN_MS });
    const askedAtMs = clock.monotonicMs();
    const [vector] = await model.embed({ texts: ["cost"], timeoutMs: EMBEDDED_WITHIN_MS });
    const tookMs = Math.round(clock.monotonicMs() - askedAtMs);
    const says = `${where}: answers with ${vector!.length} numbers in ${tookMs} ms`;
    if (tookMs <= QUERY_TIMEOUT_MS) return { state: "ok", says };
    const fix = `A search waits ${QUERY_TIMEOUT_MS} ms for it and then goes by words alone. Choose a faster model or one nearby.`;
    return { state: "warn", says, fix };
  } catch (error) {
    return {
      state: "warn",
      says: `${where}: ${error instanceof Error ? error.message : String(error)}`,
      fix: "Check SVC_EMBEDDINGS_URL, SVC_EMBEDDINGS_KEY, SVC_EMBEDDINGS_MODEL. Until then large knowledge is searched by words alone.",
    };
  }
}

const EMBEDDED_WITHIN_MS = 4_000;

/** A preset under a mistyped name does nothing, and nobody would notice. */
async function settings(operator: Operator): Promise<Finding> {
  const unused = configured(() => operator.unusedModelNames());
  if (unused === "half") return NEEDS_CONFIGURATION;
  if (unused.length === 0) return { state: "ok", says: "each is for a model in use" };
  const named = unused.map(({ variable, model }) => `${model} in ${variable}`).join(", ");
  return {
    state: "warn",
    says: `no model in use has this name, so the setting does nothing: ${named}`,
    fix: "Write it as in SVC_CONVERSATION_MODEL, SVC_EVALUATION_MODEL, SVC_VERIFIER_MODEL or a fallback's variable, or take it out.",
  };
}

/** The first comes before its fallback. One of them must answer. */
export function judgeModels(purpose: Purpose, probes: ModelProbe[], places: ModelPlaces): Finding {
  const says = probes.map((one, index) => words(one, index, places)).join("; ");
  if (probes.every(({ trouble, isListed }) => trouble === undefined && isListed))
    return { state: "ok", says };
  const fix = `Check ${probes.flatMap((one, index) => atFault(purpose, one, index)).join(", ")}.`;
  if (probes.some(({ trouble }) => trouble === undefined)) return { state: "warn", says, fix };
  return { state: "fail", says, fix: `${fix} ${UNTIL_THEN[purpose]}` };
}

const UNUSED: Record<Purpose, string> = {
  conversation: "not set up (SVC_MODEL_URL, SVC_CONVERSATION_MODEL): nobody is talked with here",
  evaluation: "not set up (SVC_MODEL_URL, SVC_EVALUATION_MODEL): nothing is evaluated here",
};

const UNTIL_THEN: Record<Purpose, string> = {
  conversation: "Until then every visitor is refused.",
  evaluation: "Until then sessions settle as errors, and are evaluated once it answers.",
};

function words(
  { name, trouble, isListed }: ModelProbe,
  index: number,
  places: ModelPlaces,
): string {
  const { url } = (index === 0 ? places.first : places.fallback) ?? places.first;
  const found = trouble ?? (isListed ? "answers" : "answers, but does not list this model");
  return `${name}${index === 0 ? "" : ", the fallback,"} at ${shownUrl(url)}: ${found}`;
}

/** The variables that may be wrong. */
function atFault(purpose: Purpose, { trouble, isListed }: ModelProbe, index: number): string[] {
  const fallback = index === 0 ? "" : "FALLBACK_";
  if (trouble !== undefined) return [`SVC_${fallback}MODEL_URL`, `SVC_${fallback}MODEL_KEY`];
  return isListed ? [] : [`SVC_${purpose.toUpperCase()}_${fallback}MODEL`];
}
