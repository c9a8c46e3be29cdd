import { element } from "../kit.ts";

/** A code block ends at a line with the same marks. The text after the first marks names the language. */
const FENCE = /^\s*(`{3,}|~{3,})[^`]*$/;
const HEADING = /^\s*(#{1,6})\s+(.*)$/;
const QUOTE = /^(?:>\s?)+/;
const ITEM = /^\s*(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
/** Inside a paragraph, a line that begins with another number is usually no list item. */
const FIRST_ITEM = /^\s*(?:[-*+]|1[.)])\s/;

/**
 * The part of Markdown that slides need: headings, paragraphs, lists, quotes, code, emphasis and
 * links. Anything else, HTML included, is shown as plain text.
 */
export function renderMarkdown(source: string): HTMLElement[] {
  const lines = source.split(/\r\n|[\n\r\u2028\u2029]/);
  const blocks: HTMLElement[] = [];
  /** The open list, which items join across empty lines too. */
  let list: HTMLElement | undefined;
  let at = 0;

  function take(isPart: (line: string) => boolean): string[] {
    const first = at;
    while (at < lines.length && isPart(lines[at]!)) at += 1;
    return lines.slice(first, at);
  }

  /** Renders a text and the lines that continue it. */
  function inlineFrom(text: string, next: RegExp): (Node | string)[] {
    const starts = [/^\s*$/, FENCE, HEADING, QUOTE, next];
    const more = take((line) => !starts.some((start) => start.test(line)));
    return renderInline([text, ...more].map((line) => line.trim()).join(" "));
  }

  while (at < lines.length) {
    const line = lines[at]!;
    at += 1;
    if (line.trim() === "") continue;
    const [, number, text] = ITEM.exec(line) ?? [];
    if (text !== undefined) {
      const kind = number === undefined ? "UL" : "OL";
      if (list?.tagName !== kind) {
        list = kind === "UL" ? element("ul") : element("ol", { start: Number(number) });
        blocks.push(list);
      }
      list.append(element("li", {}, ...inlineFrom(text, ITEM)));
      continue;
    }
    list = undefined;
    const [, marks] = FENCE.exec(line) ?? [];
    const [, level, title] = HEADING.exec(line) ?? [];
    if (marks !== undefined) {
      const code = take((one) => one.trim() !== marks).join("\n");
      at += 1;
      blocks.push(element("pre", {}, element("code", {}, code)));
    } else if (title !== undefined) {
      // The dialog's own title is the second level.
      blocks.push(element(level === "#" ? "h3" : "h4", {}, ...renderInline(title)));
    } else if (QUOTE.test(line)) {
      const quoted = [line, ...take((one) => QUOTE.test(one))];
      const inside = quoted.map((one) => one.replace(QUOTE, "")).join("\n");
      blocks.push(element("blockquote", {}, ...renderMarkdown(inside)));
    } else {
      blocks.push(element("p", {}, ...inlineFrom(line, FIRST_ITEM)));
    }
  }
  return blocks;
}

const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^[\]]+)\]\((https:\/\/[^\s)]+|mailto:[^\s)]+)\)/g;

/** Emphasis, code and links in a line of text. */
export function renderInline(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong, emphasis, label, href] = match;
    parts.push(text.slice(end, match.index));
    if (code !== undefined) parts.push(element("code", {}, code));
    else if (strong !== undefined) parts.push(element("strong", {}, strong));
    else if (emphasis !== undefined) parts.push(element("em", {}, emphasis));
    else parts.push(element("a", { href: href ?? "", target: "_blank", rel: "noopener" }, label));
    end = match.index + whole.length;
  }
  parts.push(text.slice(end));
  return parts.filter((part) => part !== "");
}
