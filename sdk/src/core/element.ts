import { BASE_STYLE } from "./base-style.ts";

/** Properties of the element, and attributes that are no properties. */
type Props<Tag extends keyof HTMLElementTagNameMap> = Partial<HTMLElementTagNameMap[Tag]> &
  Partial<
    Record<
      `data-${string}` | "aria-label" | "aria-describedby" | "aria-hidden" | "aria-live",
      string
    >
  >;

/** Creates an element. Texts are added as text nodes, so nothing that a model says can become markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props<Tag> = {},
  ...children: (Node | string | undefined | false)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined) continue;
    if (name in made) (made as unknown as Record<string, unknown>)[name] = value;
    else if (typeof value === "string") made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** Creates an SVG element. Attributes without a value are left out. */
export function svg(
  tag: "svg" | "g" | "path",
  attributes: object,
  ...children: Element[]
): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) if (value) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Creates an icon from one path in a 20 by 20 box. */
export function icon(d: string): Element {
  return svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d }));
}

/** Creates a round button with an icon and an accessible name. */
export function iconButton(name: string, path: string, onclick: () => void): HTMLButtonElement {
  return element(
    "button",
    { type: "button", className: "icon", title: name, "aria-label": name, onclick },
    icon(path),
  );
}

const sheets: Record<string, CSSStyleSheet> = {};

/** Opens a shadow root on a new element, which protects its content from the page's rules. */
export function openShadow(style: string): ShadowRoot {
  const root = document.createElement("div").attachShadow({ mode: "open" });
  addStyle(root, BASE_STYLE);
  addStyle(root, style);
  return root;
}

/** Adds a style sheet to a page or a shadow root, once. A strict policy allows this, but no `<style>`. */
export function addStyle(root: Document | ShadowRoot, css: string): void {
  const sheet = (sheets[css] ??= new CSSStyleSheet());
  if (root.adoptedStyleSheets.includes(sheet)) return;
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

/** Takes a style sheet away again, and leaves those of others. */
export function removeStyle(root: Document | ShadowRoot, css: string): void {
  root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => sheet !== sheets[css]);
}
