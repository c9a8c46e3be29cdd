import type { DomDocument, DomElement } from "linkedom";

/** Elements that show no text, or text for machines only. */
const UNSEEN =
  "script, style, noscript, template, svg, canvas, iframe, object, embed, audio, video, map, [hidden], [aria-hidden=true], input, select, textarea, .sr-only, .visually-hidden, .screen-reader-text, .hidden, .d-none, dialog:not([open])";

/** Inline styles by which a text is there and cannot be read. */
const INVISIBLE_STYLE =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|font-size\s*:\s*[01](?:\.\d+)?(?:px|pt|em|rem|%)?\s*(?:;|!|$)|(?:left|top|right|text-indent|margin-left)\s*:\s*-\d{3,}|clip(?:-path)?\s*:\s*(?:rect\(\s*[01]|inset\(\s*(?:50|100)%)|(?:max-)?(?:height|width)\s*:\s*[01](?:px)?\s*(?:;|!|$)|transform\s*:\s*scale\(\s*0\s*\)/i;

/** Takes out what no visitor sees: an owner answers for what the site shows, and others hide what machines should read. */
export function removeHidden(document: DomDocument): void {
  const selectors = [...document.querySelectorAll("style")].flatMap((style) =>
    hidingSelectors(style.textContent ?? ""),
  );
  for (const selector of [UNSEEN, ...selectors])
    for (const element of found(document, selector)) element.remove();
  for (const element of document.querySelectorAll("[style]")) {
    const style = element.getAttribute("style") ?? "";
    if (INVISIBLE_STYLE.test(style) || isSameColour(style)) element.remove();
  }
}

/** Selectors of rules that always hide, outside of `@media` and without a state such as `:hover`. */
function hidingSelectors(css: string): string[] {
  const rules = css
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/@[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, "");
  return [...rules.matchAll(/([^{}]+)\{([^{}]*)\}/g)]
    .filter(([, , body]) => INVISIBLE_STYLE.test(body!) || isSameColour(body!))
    .flatMap(([, selector]) => selector!.split(","))
    .map((selector) => selector.trim())
    .filter((selector) => selector !== "" && !selector.includes(":"));
}

function isSameColour(style: string): boolean {
  const [, text] = /(?:^|[;\s])color\s*:\s*([^;!]+)/i.exec(style) ?? [];
  const [, behind] = /background(?:-color)?\s*:\s*([^;!]+)/i.exec(style) ?? [];
  return text !== undefined && text.trim().toLowerCase() === behind?.trim().toLowerCase();
}

/** A selector comes from the page and may be no selector at all. */
function found(document: DomDocument, selector: string): DomElement[] {
  try {
    return [...document.querySelectorAll(selector)].filter(
      ({ localName }) => localName !== "html" && localName !== "body",
    );
  } catch {
    return [];
  }
}
