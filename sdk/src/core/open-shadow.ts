import { BASE_STYLE } from "./base-style.ts";

const sheets: Record<string, CSSStyleSheet> = {};

/** A shadow root on a new element: the page's rules do not reach what is in it. */
export function openShadow(style: string): ShadowRoot {
  const root = document.createElement("div").attachShadow({ mode: "open" });
  addStyle(root, BASE_STYLE);
  addStyle(root, style);
  return root;
}

/** Adds a style sheet to a page or a shadow root, once. A strict policy allows this, and no `<style>`. */
export function addStyle(root: Document | ShadowRoot, css: string): void {
  const sheet = (sheets[css] ??= new CSSStyleSheet());
  if (root.adoptedStyleSheets.includes(sheet)) return;
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
