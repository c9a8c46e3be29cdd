import type { Eligibility } from "@svc/contract/types";
import { rankLanguages } from "./languages.ts";
import type { Service } from "../core/service.ts";
import { supportsCalls } from "./supports-calls.ts";

/** The agent's languages, those of the visitor's browser first. */
export async function languagesOf(service: Service): Promise<string[]> {
  const { languages } = await service.facts();
  return rankLanguages(
    languages.map(({ code }) => code),
    navigator.languages,
  );
}

/** Whether a demo could be started now. */
export async function eligibilityOf(service: Service): Promise<SvcEligibility> {
  if (!supportsCalls()) return { allowed: false, reason: "unsupported_browser" };
  const eligibility: Eligibility = await service.read("/eligibility");
  return eligibility.allowed && (await cannotBeHeard(service))
    ? { allowed: false, reason: "microphone_blocked" }
    : eligibility;
}

/** The visitor has forbidden the microphone here, and the agent can only be talked to. */
async function cannotBeHeard(service: Service): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: "microphone" });
    return state === "denied" && !(await service.facts()).modes.includes("text");
  } catch {
    return false; // Not every browser knows this permission.
  }
}
