import { agentFindings } from "#agents";
import type { AgentFinding } from "#agents";
import { unpricedModels } from "#models";
import type { SpeechSettings } from "#platform";
import { agentsNearDayCap } from "#sessions";
import type { NearDayCap } from "#sessions";
import type { ModelPlaces, Operator } from "../operator.ts";
import { configured, counted, NEEDS_CONFIGURATION } from "./check.ts";
import type { Check, Finding } from "./check.ts";

/** Whether agents can do what they are set up for. */
export const agentChecks: Check[] = [
  { name: "agents", needsDatabase: true, look: agents },
  { name: "cost limits", needsDatabase: true, look: costLimits },
  { name: "daily starts", needsDatabase: true, look: dailyStarts },
];

async function agents(operator: Operator): Promise<Finding> {
  const speech = configured(() => operator.speech());
  const voice = speech === "half" ? undefined : speech?.settings.voice;
  return judgeAgents(await agentFindings(operator.db()), voice);
}

/** @param voice undefined where visitors only type. */
export function judgeAgents(
  all: AgentFinding[],
  voice: SpeechSettings["voice"] | undefined,
): Finding {
  const live = all.filter(({ state }) => state === "live");
  const unwritten = all.filter(({ hasVersion }) => !hasVersion);
  if (unwritten.length > 0) {
    return {
      state: "warn",
      says: `without a version, so that nobody can start them: ${namesOf(unwritten)}`,
      fix: "Run `svc agents apply <folder>`, which gives an agent its next version.",
    };
  }
  const paused = all.filter(({ isDefault, state }) => isDefault && state === "paused");
  if (paused.length > 0) {
    return {
      state: "warn",
      says: `the default agent of its account is paused: ${namesOf(paused)}`,
      fix: "Run `svc agents resume <agent>`, or `svc accounts set <account> --default-agent <agent>`. Until then pages that name only the account start nothing.",
    };
  }
  const foreign = live.filter((one) => speaksForeign(one, voice));
  if (foreign.length > 0) {
    return {
      state: "warn",
      says: `no voice for a language, which is spoken by one for English: ${namesOf(foreign)}`,
      fix: "Name a voice for each language in the agent's file, or set SVC_TTS_VOICE.",
    };
  }
  return { state: "ok", says: all.length === 0 ? "there are none yet" : `${live.length} live` };
}

/** Deepgram's voices speak one language each, the default one English; other providers' speak many. */
function speaksForeign(
  { languagesWithoutVoice }: AgentFinding,
  voice: SpeechSettings["voice"] | undefined,
): boolean {
  if (voice?.first.provider !== "deepgram") return false;
  const [, spoken = "en"] = /-([a-z]{2})$/.exec(voice.first.voice ?? voice.first.model ?? "") ?? [];
  return languagesWithoutVoice.some((code) => !code.startsWith(spoken));
}

/** A limit in money counts what models cost, so without a price it never bites. */
async function costLimits(operator: Operator): Promise<Finding> {
  const places = configured(() => operator.modelPlaces());
  if (places === "half") return NEEDS_CONFIGURATION;
  return judgeCostLimits(await agentFindings(operator.db()), places.conversation);
}

export function judgeCostLimits(all: AgentFinding[], models: ModelPlaces | undefined): Finding {
  const limited = all.filter(({ hasCostLimit }) => hasCostLimit);
  if (limited.length === 0) return { state: "ok", says: "no agent has a limit in money" };
  if (models === undefined) return { state: "ok", says: "no model is set up here (SVC_MODEL_URL)" };
  const unpriced = unpricedModels(models);
  if (unpriced.length === 0)
    return {
      state: "ok",
      says: `${counted(limited.length, "agent has", "agents have")} one, and the models have prices`,
    };
  return {
    state: "warn",
    says: `limits in money never bite, because ${unpriced.join(" and ")} cost nothing: ${namesOf(limited)}`,
    fix: `Set SVC_MODEL_PRICES, for example ${unpriced[0]}=250000/2000000, or take the limit away.`,
  };
}

async function dailyStarts(operator: Operator): Promise<Finding> {
  return judgeDailyStarts(await agentsNearDayCap(operator.db()));
}

export function judgeDailyStarts(near: NearDayCap[]): Finding {
  if (near.length === 0) return { state: "ok", says: "no agent is near its cap for today" };
  const [{ slug, account, starts, cap }] = near as [NearDayCap];
  return {
    state: "warn",
    says: `${slug} of ${account} has had ${starts} of ${counted(cap, "start")} today${near.length > 1 ? `, and ${near.length - 1} more are as near to their cap` : ""}`,
    fix: "If these are visitors, run `svc accounts set <account> --limit daily_starts_per_agent=<number>`, or raise daily_starts in the agent's file. Above the cap visitors are refused until midnight UTC.",
  };
}

const MOST_NAMED = 3;

function namesOf(all: AgentFinding[]): string {
  const named = all.slice(0, MOST_NAMED).map(({ slug, account }) => `${slug} of ${account}`);
  const more = all.length - MOST_NAMED;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
