import { livingProcesses, missingRoles, reportedProcesses, runsPart, takesWork } from "#platform";
import type { Db, ProcessPart, ReportedProcess } from "#platform";
import { liveOffer, oldestUnsettled } from "#sessions";
import type { LiveOffer } from "#sessions";
import { listEndpoints } from "#webhooks";
import type { Operator } from "../operator.ts";
import { duration } from "../terminal/times.ts";
import { configured } from "./check.ts";
import type { Check, Finding } from "./check.ts";

/** Whether a process runs for each part of the service, as far as this installation needs it. */
export const processChecks: Check[] = (["api", "live", "pipeline"] as const).map((part) => ({
  name: `${part} processes`,
  needsDatabase: true,
  look: (operator) => look(operator, part),
}));

async function look(operator: Operator, part: ProcessPart): Promise<Finding> {
  const db = operator.db();
  const found = judgePart(part, await reportedProcesses(db), operator.clock.nowMs());
  if (found.state === "fail")
    return (await isNeeded(operator, part)) ? found : { state: "ok", says: NOT_NEEDED[part] };
  return part === "live" ? judgeOffer(found, await liveOffer(db), hasSpeech(operator)) : found;
}

/** Whether somebody serves that part at the moment. */
export async function isServed(db: Db, part: ProcessPart): Promise<boolean> {
  return !missingRoles(await livingProcesses(db)).includes(part);
}

/** By the processes of the last ten minutes, dead ones included. */
export function judgePart(
  part: ProcessPart,
  all: readonly ReportedProcess[],
  nowMs: number,
): Finding {
  const working = all.filter((one) => takesWork(one, part));
  const versions = [...new Set(working.map(({ version }) => version))].toSorted();
  const running =
    working.length === 0
      ? "none runs"
      : `${working.length} running, version ${versions.join(" and ")}`;
  const others = all.filter((one) => runsPart(one.role, part) && !takesWork(one, part));
  const says = [running, ...others.map((one) => lossOf(one, nowMs))].join("; ");
  return working.length === 0 ? { state: "fail", says, fix: START[part] } : { state: "ok", says };
}

function lossOf({ instance, alive, renewedAt }: ReportedProcess, nowMs: number): string {
  if (alive) return `${instance} is stopping`;
  const secs = Math.max(0, (nowMs - renewedAt.getTime()) / 1_000);
  return `${instance} was last seen ${duration(secs)} ago`;
}

const START: Record<ProcessPart, string> = {
  api: "Start a process with SVC_ROLE=api or all. Until then no export is read, no page gets the SDK and no session starts.",
  live: "Start a process with SVC_ROLE=live or all. Until then every visitor is refused.",
  pipeline:
    "Start a process with SVC_ROLE=pipeline or all. Until then nothing is evaluated, delivered or mailed, and sessions stay unsettled.",
};

const NOT_NEEDED: Record<ProcessPart, string> = {
  api: "none runs",
  live: "none runs, and nobody is talked with here",
  pipeline: "none runs, and nothing is to be evaluated or delivered",
};

/** Without a model and without anything unfinished, this may be an export of imported sessions alone. */
async function isNeeded(operator: Operator, part: ProcessPart): Promise<boolean> {
  if (part === "api") return true;
  const db = operator.db();
  const models = configured(() => operator.modelPlaces());
  const model = models !== "half" && models[part === "live" ? "conversation" : "evaluation"];
  if (model) return true;
  if ((await reportedProcesses(db)).some(({ role }) => role === part)) return true;
  if ((await oldestUnsettled(db)) !== undefined) return true;
  return part === "pipeline" && (await listEndpoints(db)).some(({ state }) => state === "live");
}

function hasSpeech(operator: Operator): boolean {
  const speech = configured(() => operator.speech());
  return speech !== undefined && speech !== "half";
}

/** Adds what live processes report of their own models and speech, which may differ from what is set here. */
export function judgeOffer(running: Finding, offer: LiveOffer, wantsVoice: boolean): Finding {
  if (offer.places === "none") {
    return {
      state: "fail",
      says: `${running.says}; none of them gets an answer from its model`,
      fix: "Compare SVC_MODEL_URL and SVC_MODEL_KEY of these processes with the ones here, and look into their logs. Until then every visitor is refused.",
    };
  }
  if (offer.places === "full") {
    return {
      state: "warn",
      says: `${running.says}; every place is taken`,
      fix: "Start another one, or raise SVC_LIVE_CAPACITY. Until then new visitors are refused.",
    };
  }
  if (!wantsVoice || offer.voice) return running;
  return {
    state: "warn",
    says: `${running.says}; none of them gets an answer from its speech providers`,
    fix: "Compare SVC_STT… and SVC_TTS… of these processes with the ones here, and look into their logs. Until then visitors are offered text.",
  };
}
