import { createHash } from "node:crypto";

/** Markup that is safe to send. Only {@link html} makes it, so a text cannot pass for it. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** A value in a template: text is escaped, markup is kept, a list is joined, `undefined` renders nothing. */
export type HtmlValue = string | number | Html | undefined | readonly HtmlValue[];

/** Markup with values in it. Each is escaped for an element's text and for a quoted attribute. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(parts.reduce((text, part, index) => text + written(values[index - 1]) + part));
}

function written(value: HtmlValue): string {
  if (value === undefined) return "";
  if (typeof value === "object") {
    return value instanceof Html ? value.toString() : value.map(written).join("");
  }
  return String(value).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A whole page without script. `head` is what it has beside its title and its style. */
export function htmlPage(page: {
  language: string;
  direction?: "ltr" | "rtl";
  title: string;
  head?: Html | undefined;
  style: Html;
  body: Html;
}): string {
  const { language, direction = "ltr", title, head, style, body } = page;
  return String(
    html`<!doctype html>
      <html lang="${language}" dir="${direction}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          ${head}
          <title>${title}</title>
          ${style}
        </head>
        <body>
          <main>
            <h1>${title}</h1>
            ${body}
          </main>
        </body>
      </html> `,
  );
}

/** A style element, and what a Content-Security-Policy must name for browsers to apply it. */
export function hashedStyle(css: string): { element: Html; source: string } {
  return hashedElement("style", css);
}

/** The same for a script. */
export function hashedScript(code: string): { element: Html; source: string } {
  return hashedElement("script", code);
}

function hashedElement(name: string, text: string): { element: Html; source: string } {
  const hash = createHash("sha256").update(text).digest("base64");
  return { element: new Html(`<${name}>${text}</${name}>`), source: `'sha256-${hash}'` };
}
