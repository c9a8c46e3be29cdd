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
