import type { SpeechCheck } from "#conversation";
import { configured, NEEDS_CONFIGURATION, shownUrl } from "./check.ts";
import type { Check, Finding } from "./check.ts";
import type { Operator, OperatorSpeech } from "../operator.ts";

/** A voice has ten seconds for its first sound; what it says is then listened to. */
const SPOKEN_WITHIN_MS = 13_000;

/** Says a sentence and listens to it: what visitors would hear, and what would be heard of them. */
export const speechChecks: Check[] = [
  ["voice", "voice"] as const,
  ["hearing", "hearing"] as const,
  ["say and hear", "round_trip"] as const,
].map(([name, part]) => ({
  name,
  needsDatabase: false,
  prepare,
  look: (operator) => look(operator, part),
  withinMs: SPOKEN_WITHIN_MS,
}));

type Part = SpeechCheck["part"];

async function prepare(operator: Operator): Promise<void> {
  const speech = configured(() => operator.speech());
  if (speech !== undefined && speech !== "half") await speech.load();
}

async function look(operator: Operator, part: Part): Promise<Finding> {
  const speech = configured(() => operator.speech());
  if (speech === "half") return NEEDS_CONFIGURATION;
  if (speech === undefined) {
    return { state: "ok", says: "not set up (SVC_STT, SVC_TTS): visitors type" };
  }
  return judgeSpeech(part, await speech.check(), speech);
}

/** The first that is there for a part comes before its fallback. One of them must work. */
export function judgeSpeech(
  part: Part,
  tried: SpeechCheck[],
  { settings }: Pick<OperatorSpeech, "settings">,
): Finding {
  const ours = tried.filter((one) => one.part === part);
  const says = ours.map((one, index) => words(one, placeOf(part, index, settings))).join("; ");
  const tookMs = ours.reduce((sum, { ms }) => sum + ms, 0);
  if (ours.length === 0) return { state: "skip", says: NEEDS[part] };
  if (ours.every(({ ok }) => ok)) return { state: "ok", says, tookMs };
  const fix = fixFor(part, ours);
  if (ours.some(({ ok }) => ok)) return { state: "warn", says, tookMs, fix };
  return { state: "fail", says, tookMs, fix: `${fix} Until then visitors are offered text.` };
}

function words(tried: SpeechCheck, place: string): string {
  const { part, provider, detail, ok, verified } = tried;
  // The detail of a failure names the provider itself.
  const rest = detail.startsWith(`${provider} `) ? detail.slice(provider.length + 1) : detail;
  const found = `${provider}${place}: ${rest.replace(/\.$/, "")}`;
  return ok && !verified && part !== "round_trip" ? `${found} (${UNVERIFIED})` : found;
}

/** Speech-to-text is tried only where there is a voice to listen to. */
const NEEDS: Record<Part, string> = {
  voice: "was not tried",
  hearing: "needs a voice to listen to",
  round_trip: "needs text-to-speech and speech-to-text",
};

const UNVERIFIED = "unverified: never run against the vendor itself";

function placeOf(part: Part, index: number, settings: OperatorSpeech["settings"]): string {
  if (part === "round_trip") return "";
  const { first, fallback } = settings[part];
  const url = (index === 0 ? first : fallback)?.url;
  return `${index === 0 ? "" : ", the fallback,"}${url === undefined ? "" : ` at ${shownUrl(url)}`}`;
}

function fixFor(part: Part, ours: SpeechCheck[]): string {
  if (part === "round_trip")
    return "Choose a model in SVC_STT_MODEL that knows the language, or another voice in SVC_TTS_VOICE.";
  const name = part === "voice" ? "TTS" : "STT";
  const failed = ours.flatMap(({ ok }, index) =>
    ok ? [] : [index === 0 ? `SVC_${name}` : `SVC_FALLBACK_${name}`],
  );
  return `Check ${failed.flatMap((one) => [one, `${one}_URL`, `${one}_KEY`]).join(", ")}.`;
}
