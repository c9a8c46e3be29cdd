/** Why the visitor cannot talk. `removed`: the microphone was there. `sound`: this browser plays and records nothing here. */
export type MicrophoneProblem =
  | "denied"
  | "dismissed"
  | "none"
  | "busy"
  | "insecure"
  | "policy"
  | "removed"
  | "sound";

/** @param trouble the name of the browser's error, `removed`, or `sound`. */
export async function problemOf(trouble: string): Promise<MicrophoneProblem> {
  if (!isSecureContext) return "insecure";
  switch (trouble) {
    case "removed":
    case "sound":
      return trouble;
    case "NotFoundError":
    case "OverconstrainedError":
    // Some browsers inside of apps have no microphones at all.
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

/** The page's own headers forbid it, and nobody was asked. Only Chromium tells. */
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
    // Not every browser knows this permission.
    return false;
  }
}

/** Nothing that a visitor does changes these. */
export function isFinal(problem: MicrophoneProblem): boolean {
  return problem === "insecure" || problem === "policy";
}

/** The visitor has a say, in the browser's own settings. */
export function isPermission(problem: MicrophoneProblem): boolean {
  return problem === "denied" || problem === "dismissed";
}

export type BrowserName = "chrome" | "chromePhone" | "firefox" | "safari" | "safariPhone" | "other";

/** Whose settings the visitor has before them. Every browser names its forebears, so the order counts. */
export function browserOf(userAgent: string): BrowserName {
  const has = (name: RegExp): boolean => name.test(userAgent);
  // On an iPhone every browser is Safari inside, but only Safari has its menu.
  if (has(/iPhone|iPad/)) return has(/CriOS|FxiOS|EdgiOS/) ? "other" : "safariPhone";
  if (has(/Firefox\//)) return has(/Android/) ? "other" : "firefox";
  if (has(/Chrome\//)) return has(/Android/) ? "chromePhone" : "chrome";
  return has(/Version\/.*Safari\//) ? "safari" : "other";
}
