import type { DomElement, DomNode } from "linkedom";

const BLOCKS = new Set(
  "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header hr html legend main nav ol p section summary ul".split(
    " ",
  ),
);
/** A table whose cells hold this much is there for its layout. */
const MAX_CELL = 300;

/**
 * Writes what an element says as Markdown: headings, paragraphs, lists, tables and code. Emphasis, pictures and the targets of
 * links are left out, since an agent that speaks cannot use them.
 * @param options.withMenus false leaves out blocks that are nothing but a link
 * @returns one text a block, so that blocks which every page has can be told apart
 */
export function toMarkdown(
  root: DomNode,
  { withMenus = true }: { withMenus?: boolean } = {},
): string[] {
  const writer = new Writer();
  writer.visit(root, 0);
  writer.endBlock();
  return withMenus ? writer.blocks : writer.blocks.filter((block) => !writer.menus.has(block));
}

class Writer {
  readonly blocks: string[] = [];
  /** Blocks that are nothing but links. */
  readonly menus = new Set<string>();
  #line = "";
  #linked = "";
  #mark = "";

  visit(node: DomNode, depth: number): void {
    if (node.nodeType === 3) {
      this.#line += node.textContent ?? "";
      return;
    }
    if (!isElement(node)) return;
    const name = node.localName;
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level !== undefined) this.#heading(node, "#".repeat(Math.max(2, Number(level))), depth);
    else if (name === "pre") this.#whole(node.textContent?.trim() ?? "", "```");
    else if (name === "table") this.#table(node, depth);
    else if (name === "li") {
      this.endBlock();
      const isCounted = node.closest("ol, ul")?.localName === "ol";
      this.#mark = `${"  ".repeat(Math.max(0, depth - 1))}${isCounted ? "1." : "-"} `;
      this.#children(node, depth);
      this.endBlock();
    } else if (name === "br") this.#line += " ";
    else if (BLOCKS.has(name)) {
      this.endBlock();
      this.#children(node, name === "ul" || name === "ol" ? depth + 1 : depth);
      this.endBlock();
    } else {
      this.#children(node, depth);
      if (name === "a") {
        this.#linked += node.textContent ?? "";
        this.#line += contactOf(node);
      }
      // Buttons and cells of a grid stand apart on the page.
      if (name === "button" || name === "label" || name === "option") this.#line += " ";
    }
  }

  endBlock(): void {
    const text = plain(this.#line);
    if (text !== "") {
      // A paragraph that begins with these would be read as a heading or the end of one.
      this.blocks.push(this.#mark + text.replace(/^(?=#{1,6}\s|-{3,}|```)/, "\\"));
      this.#mark = "";
      const isMenu = withoutSpaces(text) === withoutSpaces(this.#linked);
      if (isMenu) this.menus.add(this.blocks.at(-1)!);
    }
    this.#line = "";
    this.#linked = "";
  }

  #children(node: DomElement, depth: number): void {
    for (const child of node.childNodes) this.visit(child, depth);
  }

  /** A heading that is never closed holds the rest of the page. */
  #heading(node: DomElement, mark: string, depth: number): void {
    this.#whole(headingText(node), mark);
    for (const child of blocksIn(node)) this.visit(child, depth);
  }

  #whole(text: string, mark: string): void {
    this.endBlock();
    this.#mark = "";
    if (text === "") return;
    this.blocks.push(mark === "```" ? `\`\`\`\n${text}\n\`\`\`` : `${mark} ${text}`);
  }

  #table(table: DomElement, depth: number): void {
    const rows = tableRows(table);
    if (rows === undefined) {
      this.endBlock();
      for (const cell of table.querySelectorAll("td, th, caption")) {
        if (cell.closest("table") !== table) continue;
        this.#children(cell, depth);
        this.endBlock();
      }
      return;
    }
    this.endBlock();
    const [head = [], ...rest] = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
    const line = (cells: string[]): string => `| ${cells.join(" | ")} |`;
    this.blocks.push([line(head), line(head.map(() => "---")), ...rest.map(line)].join("\n"));
  }
}

/** The cells of a table of data, each row as wide as the widest; undefined for one that only lays things out. */
export function tableRows(table: DomElement): string[][] | undefined {
  if (table.querySelector("table, h1, h2, h3, ul, p + p") !== null) return undefined;
  const rows = [...table.querySelectorAll("tr")]
    .map((row) => [...row.querySelectorAll("td, th")].map(textOf))
    .filter((row) => row.some((cell) => cell !== ""));
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (rows.length < 2 || width < 2 || rows.flat().some((cell) => cell.length > MAX_CELL))
    return undefined;
  return rows.map((row) => [...row, ...Array.from({ length: width - row.length }, () => "")]);
}

/** The words of a heading, without blocks inside. */
export function headingText(heading: DomElement): string {
  const blocks = new Set<DomNode>(blocksIn(heading));
  return plain(
    [...heading.childNodes].map((one) => (blocks.has(one) ? "" : one.textContent)).join(""),
  );
}

function blocksIn(heading: DomElement): DomElement[] {
  return [...heading.childNodes].filter(
    (child): child is DomElement =>
      isElement(child) &&
      (BLOCKS.has(child.localName) || /^(?:h[1-6]|table|pre|li)$/.test(child.localName)),
  );
}

/** How a company is reached stands in the target of a link, not in its words. */
function contactOf(link: DomElement): string {
  const [, address] = /^(?:mailto|tel):([^?]+)/i.exec(link.getAttribute("href") ?? "") ?? [];
  return address === undefined || (link.textContent ?? "").includes(address) ? "" : ` (${address})`;
}

export function textOf(element: DomElement): string {
  return plain(element.textContent ?? "");
}

function plain(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/[\s\p{Cf}]+/gu, "");
}

function isElement(node: DomNode): node is DomElement {
  return node.nodeType === 1;
}
