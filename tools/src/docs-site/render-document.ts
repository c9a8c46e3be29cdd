import { dirname, join } from "node:path/posix";
import { Marked } from "marked";
import type { Token, Tokens } from "marked";
import { Html, html } from "../html.ts";

export interface Heading {
  level: number;
  text: string;
  anchor: string;
}

export interface RenderedDocument {
  title: string;
  body: Html;
  headings: Heading[];
  /** The text under each heading, the title included, without markup, for the search. */
  texts: string[];
  /** Links to headings, here and on other pages. */
  links: { to: string; anchor: string }[];
}

/**
 * @param path of the document, from the repository's root
 * @param addressOf where a file of the repository is in the site; undefined: it is not, and a link to it becomes its text
 */
export function renderDocument(
  path: string,
  markdown: string,
  addressOf: (file: string) => string | undefined,
): RenderedDocument {
  const headings: Heading[] = [];
  const links: RenderedDocument["links"] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const heading = newHeading(headings, depth, plain(tokens));
        headings.push(heading);
        const { anchor } = heading;
        const text = this.parser.parseInline(tokens);
        const link = depth === 1 ? text : `<a class="anchor" href="#${anchor}">${text}</a>`;
        return `<h${depth} id="${anchor}">${link}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = new Html(this.parser.parseInline(tokens));
        if (/^[a-z]+:/.test(href)) return html`<a href="${href}">${text}</a>`.text;
        const [file = "", anchor = ""] = href.split("#");
        const target = file === "" ? path : join(dirname(path), file);
        const address = addressOf(target);
        if (address === undefined) return html`<span title="${target}">${text}</span>`.text;
        links.push({ to: target, anchor });
        const hash = anchor === "" ? "" : `#${anchor}`;
        return html`<a href="${file === "" ? hash : address + hash}">${text}</a>`.text;
      },
      image({ href, text }) {
        const address = addressOf(join(dirname(path), href));
        if (address === undefined) throw new Error(`${path} shows ${href}, which is not there.`);
        return html`<img src="${address}" alt="${text}" loading="lazy" />`.text;
      },
      table(token) {
        const table = tableOf(token, (tokens) => new Html(this.parser.parseInline(tokens)));
        // A wide table scrolls by itself, and a reader without a pointer must be able to reach it.
        return html`<div class="table" tabindex="0">${table}</div> `.text;
      },
      code({ text }) {
        return html`<div class="code">
          <pre tabindex="0"><code>${text}</code></pre>
        </div>`.text;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  const body = new Html(marked.parser(tokens));
  return { title: headings[0]?.text ?? path, body, headings, texts: textsOf(tokens), links };
}

function tableOf({ header, rows }: Tokens.Table, inline: (tokens: Token[]) => Html): Html {
  // A head without words is left out: a screen reader would only read it out as empty.
  const cellsAbove = header.map(({ text, tokens }) =>
    text === "" ? html`<td></td>` : html`<th>${inline(tokens)}</th>`,
  );
  const hasHead = header.some(({ text }) => text !== "");
  const head = hasHead
    ? html`<thead>
        <tr>
          ${cellsAbove}
        </tr>
      </thead>`
    : new Html("");
  const body = rows.map((row) => {
    const cells = row.map(({ tokens, align }) =>
      align === "right"
        ? html`<td class="right">${inline(tokens)}</td>`
        : html`<td>${inline(tokens)}</td>`,
    );
    return html`<tr>
      ${cells}
    </tr>`;
  });
  return html`<table>
    ${head}
    <tbody>
      ${body}
    </tbody>
  </table>`;
}

/** Numbered where it comes twice on a page, as on code hosts. */
function newHeading(before: Heading[], level: number, text: string): Heading {
  const word = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
  const taken = new Set(before.map(({ anchor }) => anchor));
  let anchor = word;
  for (let count = 1; taken.has(anchor); count++) anchor = `${word}-${count}`;
  return { level, text, anchor };
}

/** One text for each heading: what follows it up to the next. */
function textsOf(tokens: Token[]): string[] {
  const texts: string[][] = [];
  for (const token of tokens) {
    if (token.type === "heading") texts.push([]);
    else texts.at(-1)?.push(plain([token]));
  }
  return texts.map((parts) => parts.join(" ").replaceAll(/\s+/g, " ").trim());
}

/** The text that a reader sees. */
function plain(tokens: Token[]): string {
  return tokens.map((token) => childrenOf(token).map(plain).join(" ") || leafOf(token)).join("");
}

function childrenOf(token: Token): Token[][] {
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flat().map(({ tokens }) => tokens);
  }
  if (token.type === "list") return (token as Tokens.List).items.map(({ tokens }) => tokens);
  return "tokens" in token && token.tokens !== undefined ? [token.tokens] : [];
}

function leafOf(token: Token): string {
  if (token.type === "html") return " ";
  return "text" in token ? String(token.text) : token.type === "space" ? " " : "";
}
