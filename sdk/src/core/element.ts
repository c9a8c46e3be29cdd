/** Properties of the element, and attributes that are none. */
type Props<Tag extends keyof HTMLElementTagNameMap> = Partial<HTMLElementTagNameMap[Tag]> &
  Partial<
    Record<
      `data-${string}` | "aria-label" | "aria-describedby" | "aria-hidden" | "aria-live",
      string
    >
  >;

/** An element with its properties and children. Texts go in as text, so nothing a model says can become markup. */
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

/** An icon of one path, drawn in a 20 by 20 box. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

/** A round button that shows an icon and says a name. */
export function iconButton(name: string, path: string, onclick: () => void): HTMLButtonElement {
  return element(
    "button",
    { type: "button", className: "icon", title: name, "aria-label": name, onclick },
    icon(path),
  );
}
