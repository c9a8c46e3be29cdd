import type { AgentConfig } from "../config/agent-config.ts";

/** A part of an agent's knowledge that can be read on its own. */
export interface KnowledgeSection {
  /** The file and the headings it stands under, the outermost first: `your-data.md#Export > Webhooks`. */
  name: string;
  text: string;
  /** The page that its file was read from, as the file's head names it. */
  page?: KnowledgePage;
}

export interface KnowledgePage {
  title: string;
  url: string;
}

/** Every section of the files, in their order. */
export function knowledgeSections(files: { path: string; text: string }[]): KnowledgeSection[] {
  return files.flatMap(({ path, text }) => {
    const page = pageOf(text);
    return sectionsOf(withoutComments(text.replace(HEAD, ""))).map(({ heading, body }) => ({
      name: sectionName(path, heading),
      text: body,
      ...(page !== undefined && { page }),
    }));
  });
}

/** Fields about the file, such as the address it was read from: read as knowledge, they would be its first section. */
const HEAD = /^---\r?\n(?:[a-z][\w-]*:.*\r?\n)+---\r?\n/;

/** What an owner has written between `<!--` and `-->` is for themselves, except in an example of code. */
function withoutComments(text: string): string {
  return text.replaceAll(CODE_OR_COMMENT, (found, fence?: string) =>
    fence === undefined ? "" : found,
  );
}

const CODE_OR_COMMENT = /^[ \t]*(```|~~~)[^]*?^[ \t]*\1|^[ \t]*<!--[^]*?-->/gm;

/** The page that a file of knowledge was read from; undefined where its head names none. */
export function pageOf(text: string): KnowledgePage | undefined {
  const [head = ""] = HEAD.exec(text) ?? [];
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}:[^\\S\\n]*(\\S.*?)\\s*$`, "m").exec(head)?.[1];
  const url = field("source");
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { host, href } = new URL(url);
  return { title: field("title") ?? host, url: href };
}

/** Whether visitors may be led to a page: over https, or where the owner's own pages are. */
export function mayOpen(
  { url }: KnowledgePage,
  { allowedOrigins, testOrigins }: Pick<AgentConfig, "allowedOrigins" | "testOrigins">,
): boolean {
  const { protocol, origin, username } = new URL(url);
  if (username !== "") return false;
  return protocol === "https:" || [...allowedOrigins, ...testOrigins].includes(origin);
}

/** Returns whether the knowledge is too large for the prompt; its sections are then searched instead. */
export function isLarge(sections: KnowledgeSection[]): boolean {
  return sections.reduce((sum, { text }) => sum + text.length, 0) > MAX_IN_PROMPT;
}

/** The same by the sizes of its files, which may count a little more. */
export function mayBeLarge(files: { size: number }[]): boolean {
  return files.reduce((sum, { size }) => sum + size, 0) > MAX_IN_PROMPT;
}

const MAX_IN_PROMPT = 24_000;

function sectionName(path: string, heading: string): string {
  const file = path.replace(/^knowledge\//, "");
  return heading === "" ? file : `${file}#${heading}`;
}

/** Splits a file at its headings, and long sections at their paragraphs. */
function sectionsOf(text: string): { heading: string; body: string }[] {
  const counts = new Map<string, number>();
  return cutAtHeadings(text).flatMap(({ heading, body }) =>
    cutAtParagraphs(body).map((part) => {
      const count = (counts.get(heading) ?? 0) + 1;
      counts.set(heading, count);
      return { heading: count === 1 ? heading : `${heading} (${count})`.trim(), body: part };
    }),
  );
}

const BETWEEN_HEADINGS = " > ";

/** A longer section usually covers several subjects. */
const MAX_CHARACTERS = 1_500;

function cutAtHeadings(text: string): { heading: string; body: string }[] {
  const sections = [{ heading: "", lines: [] as string[] }];
  /** The headings that the next line stands under, by their level. */
  const above: string[] = [];
  let isCode = false;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const [, level, heading] = (!isCode && /^(#{1,6})\s+(.*?)\s*#*$/.exec(line)) || [];
    if (level === undefined) sections.at(-1)!.lines.push(line);
    else {
      above.splice(level.length - 1);
      above[level.length - 1] = heading!;
      sections.push({
        heading: above.filter((one) => one !== "").join(BETWEEN_HEADINGS),
        lines: [],
      });
    }
  }
  return sections.map(({ heading, lines }) => ({ heading, body: lines.join("\n").trim() }));
}

function cutAtParagraphs(body: string): string[] {
  const parts: string[] = [];
  for (const paragraph of body.split(/\n\s*\n/).flatMap(cutAtSpaces)) {
    const before = parts.at(-1);
    if (before !== undefined && before.length + paragraph.length + 2 <= MAX_CHARACTERS)
      parts[parts.length - 1] = `${before}\n\n${paragraph}`;
    else if (paragraph !== "") parts.push(paragraph);
  }
  return parts;
}

/** Splits a paragraph that is longer than a section may be. */
function cutAtSpaces(paragraph: string): string[] {
  const parts: string[] = [];
  let rest = paragraph.trim();
  while (rest.length > MAX_CHARACTERS) {
    const at = rest.slice(0, MAX_CHARACTERS).search(/\s\S*$/);
    const part = at > 0 ? rest.slice(0, at) : rest.slice(0, MAX_CHARACTERS).toWellFormed();
    parts.push(part);
    rest = rest.slice(at > 0 ? at : MAX_CHARACTERS).trim();
  }
  return [...parts, rest];
}
