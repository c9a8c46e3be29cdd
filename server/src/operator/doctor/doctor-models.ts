import { ChatModels } from "#conversation";
import type { ModelProbe } from "#models";
import { configured, NEEDS_CONFIGURATION, shownUrl } from "./check.ts";
import type { Check, Finding } from "./check.ts";
import type { ModelPlaces, Operator } from "../operator.ts";

/** Checks at no cost that the providers accept our keys and know the models. */
export const modelChecks: Check[] = [
  { name: "conversation model", needsDatabase: false, look: (all) => look(all, "conversation") },
  { name: "evaluation model", needsDatabase: false, look: (all) => look(all, "evaluation") },
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
