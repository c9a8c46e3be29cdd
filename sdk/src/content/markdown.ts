import { element } from "../core/element.ts";

/**
 * The part of Markdown that slides need: headings, paragraphs, lists, quotes, code, emphasis and
 * links. Anything else, HTML included, stays the text that it is.
 */
export function renderMarkdown(source: string): HTMLElement[] {
  const blocks = source.replaceAll("\r\n", "\n").split(/\n{2,}(?=\S)/);
  return blocks.filter((block) => block.trim() !== "").map((block) => renderBlock(block.trim()));
}

function renderBlock(block: string): HTMLElement {
  const heading = /^(#{1,4})\s+(.*)$/s.exec(block);
  if (heading !== null) {
    // The dialog's own title is the second level.
    const tag = heading[1]!.length === 1 ? "h3" : "h4";
    return element(tag, {}, ...renderInline(heading[2]!));
  }
  if (block.startsWith("```")) {
    const code = block.replace(/^```[^\n]*\n?/, "").replace(/\n?```$/, "");
    return element("pre", { tabIndex: 0 }, element("code", {}, code));
  }
  const lines = block.split("\n");
  if (lines.every((line) => /^\s*(?:[-*+]|\d+[.)])\s|^\s{2,}\S/.test(line))) return list(lines);
  if (lines.every((line) => line.startsWith(">"))) {
    const quoted = lines.map((line) => line.replace(/^>\s?/, "")).join("\n");
    return element("blockquote", {}, ...renderMarkdown(quoted));
  }
  return element("p", {}, ...renderInline(lines.join(" ")));
}

function list(lines: string[]): HTMLElement {
  const items: string[] = [];
  for (const line of lines) {
    const item = /^\s*(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line);
    if (item !== null) items.push(item[1]!);
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return element(
    /^\s*\d/.test(lines[0]!) ? "ol" : "ul",
    {},
    ...items.map((item) => element("li", {}, ...renderInline(item))),
  );
}

const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\((https:\/\/[^\s)]+|mailto:[^\s)]+)\)/g;

function renderInline(text: string): (Node | string)[] {
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
