import type { Eligibility } from "@svc/contract/types";
import type { Service } from "../core/service.ts";

/** The agent's languages, those of the visitor's browser first. */
export async function languagesOf(service: Service): Promise<string[]> {
  const { languages } = await service.facts();
  return rankLanguages(
    languages.map(({ code }) => code),
    navigator.languages,
  );
}

/** Returns whether a demo could be started now. */
export async function eligibilityOf(service: Service): Promise<SvcEligibility> {
  if (!supportsCalls()) return { allowed: false, reason: "unsupported_browser" };
  const eligibility = await readEligibility(service);
  return eligibility.allowed && (await cannotBeHeard(service))
    ? { allowed: false, reason: "microphone_blocked" }
    : eligibility;
}

/** The token of a preview travels in the body: addresses are logged by what stands in between. */
export function readEligibility(service: Service): Promise<Eligibility> {
  const { preview: preview_token } = service;
  const init = { method: "POST", body: JSON.stringify({ preview_token }) };
  return service.read("/eligibility", preview_token === undefined ? {} : init);
}

/** Returns whether the visitor has blocked the microphone here and the agent has no text mode. */
async function cannotBeHeard(service: Service): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: "microphone" });
    return state === "denied" && !(await service.facts()).modes.includes("text");
  } catch {
    return false; // Some browsers do not know this permission.
  }
}

/** Checks the newest browser features that a call needs. Browsers of the last four years have them. */
export function supportsCalls(): boolean {
  try {
    return "showModal" in HTMLDialogElement.prototype && "adoptedStyleSheets" in document;
  } catch {
    return false;
  }
}

/**
 * The agent's languages in the visitor's order: for each preference the exact code, then the same
 * base language, then a sibling region; after them the rest, in the agent's order.
 */
export function rankLanguages(offered: readonly string[], wanted: readonly string[]): string[] {
  const matches = wanted.flatMap((want) => bestMatch(offered, want) ?? []);
  return [...new Set([...matches, ...offered])];
}

/** The language of the call: the first match, or the agent's default. */
export function chooseLanguage(
  offered: readonly string[],
  wanted: readonly string[],
  fallback: string,
): string {
  return wanted.map((want) => bestMatch(offered, want)).find(Boolean) ?? fallback;
}

function bestMatch(offered: readonly string[], want: string): string | undefined {
  const code = String(want).toLowerCase();
  const base = baseOf(code);
  return (
    offered.find((one) => one.toLowerCase() === code) ??
    offered.find((one) => one.toLowerCase() === base) ??
    offered.find((one) => baseOf(one.toLowerCase()) === base)
  );
}

function baseOf(code: string): string {
  return code.split("-")[0]!;
}
