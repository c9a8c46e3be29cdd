import type { MicrophoneWords } from "@svc/contract/types";

/** Why the visitor cannot talk. `removed`: the microphone was unplugged or revoked. `sound`: the browser cannot play or record here. */
export type MicrophoneProblem = keyof MicrophoneWords["problems"];

/** @param trouble The name of the browser's error, `removed`, or `sound`. */
export async function problemOf(trouble: string): Promise<MicrophoneProblem> {
  if (!isSecureContext) return "insecure";
  switch (trouble) {
    case "removed":
    case "sound":
      return trouble;
    case "NotFoundError":
    case "OverconstrainedError":
    // Browsers inside other apps may have no `mediaDevices` at all.
    case "TypeError":
      return "none";
    case "NotAllowedError":
    case "SecurityError":
      if (isForbiddenByPage()) return "policy";
      return (await canAskAgain()) ? "dismissed" : "denied";
    default:
      return "busy";
  }
}

/** The page's Permissions-Policy forbids it, so the visitor was not asked. Only Chromium exposes this. */
function isForbiddenByPage(): boolean {
  const { featurePolicy } = document as {
    featurePolicy?: { allowsFeature(name: string): boolean };
  };
  return featurePolicy?.allowsFeature("microphone") === false;
}

async function canAskAgain(): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: "microphone" });
    return state === "prompt";
  } catch {
    // Some browsers do not know this permission.
    return false;
  }
}

/** The visitor can do nothing about these. */
export function isFinal(problem: MicrophoneProblem): boolean {
  return problem === "insecure" || problem === "policy";
}

/** The visitor can change these in the browser's settings. */
export function isPermission(problem: MicrophoneProblem): boolean {
  return problem === "denied" || problem === "dismissed";
}

export type BrowserName = keyof MicrophoneWords["help"];

/** Which browser's settings to describe. User agents also name other browsers, so the order of the checks matters. */
export function browserOf(userAgent: string): BrowserName {
  const has = (name: RegExp): boolean => name.test(userAgent);
  // On an iPhone every browser uses Safari's engine, but only Safari has its menu.
  if (has(/iPhone|iPad/)) return has(/CriOS|FxiOS|EdgiOS/) ? "other" : "safari_phone";
  if (has(/Firefox\//)) return has(/Android/) ? "other" : "firefox";
  if (has(/Chrome\//)) return has(/Android/) ? "chrome_phone" : "chrome";
  return has(/Version\/.*Safari\//) ? "safari" : "other";
}
