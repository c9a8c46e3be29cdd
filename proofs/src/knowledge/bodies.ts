import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A text as an owner would have it: Markdown files with headings. */
export interface KnowledgeFile {
  path: string;
  text: string;
}

/** What an agent may know at most. */
const MAX_BYTES = 5_000_000;
const MAX_FILE_BYTES = 400_000;
const ROOT = join(import.meta.dirname, "../../..");

/** Where each body lies, and which of its pages are taken. */
const BODIES: Record<string, { folder: string; pages: RegExp }> = {
  handbook: { folder: "/usr/share/doc/debian-handbook/html/en-US", pages: /^[^/]*\.html$/ },
  postgresql: {
    folder: "/usr/share/doc/postgresql-doc-15/html",
    pages: /^(?!release|index|bookindex|biblio|features|legalnotice|.*keywords|error)[^/]*\.html$/,
  },
  git: { folder: "/usr/share/doc/git/html", pages: /^(?!RelNotes|technical|howto)[^/]*\.html$/ },
  python: {
    folder: "/usr/share/doc/python3.11/html",
    pages: /^(?:tutorial|faq|howto|using|library)\/[^/]*\.html$/,
  },
  svc: { folder: join(ROOT, "docs"), pages: /^(?:guide|operate|reference)\/[^/]*\.md$/ },
};

export const BODY_NAMES: string[] = Object.keys(BODIES);

/** @returns nothing if the body's Debian package is not installed. */
export async function readBody(name: string): Promise<KnowledgeFile[] | undefined> {
  const { folder, pages } = BODIES[name]!;
  const names = await readdir(folder, { recursive: true }).catch(() => undefined);
  if (names === undefined) return undefined;
  const files: KnowledgeFile[] = [];
  let [size, last] = [0, 0];
  for (const page of names.filter((one) => pages.test(one)).toSorted()) {
    const bytes = await readFile(join(folder, page), "utf8");
    const text = page.endsWith(".md") ? bytes : markdownOf(bytes);
    const length = Buffer.byteLength(text);
    if (length > MAX_FILE_BYTES || size + length > MAX_BYTES) continue;
    // An agent has at most 200 files: small pages share one.
    if (files.length > 0 && last + length <= MAX_FILE_BYTES / 8) {
      files.at(-1)!.text += `\n\n${text}`;
      last += length;
    } else {
      files.push({ path: `knowledge/${page.replaceAll("/", "-").replace(/\..*$/, "")}.md`, text });
      last = length;
    }
    size += length;
  }
  return files;
}

/** Reads just as much HTML as the pages of Debian's documentation have. */
function markdownOf(html: string): string {
  const main = /<div class="body" role="main">([\s\S]*?)<div class="sphinxsidebar/.exec(html)?.[1];
  const body = main ?? html.replace(/^[\s\S]*?<body[^>]*>/, "");
  return body
    .replaceAll(/<(script|style|nav)\b[\s\S]*?<\/\1>/g, "")
    .replaceAll(/<div class="(?:navheader|navfooter|toc)"[\s\S]*?<\/div>/g, "")
    .replaceAll(/<a class="headerlink"[\s\S]*?<\/a>/g, "")
    .replaceAll(/<ul class="docnav">[\s\S]*?<\/ul>/g, "")
    .replaceAll(
      /<pre\b[^>]*>([\s\S]*?)<\/pre>/g,
      (_, code: string) =>
        `\n\n\`\`\`\n${code
          .replaceAll(/<[^>]*>/g, "")
          .replaceAll(/\n\s*\n/g, "\n")
          .trim()
          .replaceAll("\n", "\u0000")}\n\`\`\`\n\n`,
    )
    .replaceAll(
      /<h([1-6])\b[^>]*>([\s\S]*?)<\/h\1>/g,
      (_, level: string, title: string) =>
        `\n\n${"#".repeat(Number(level))} ${title
          .replaceAll(/<[^>]*>/g, "")
          .replaceAll(/\s+/g, " ")
          .trim()}\n\n`,
    )
    .replaceAll(/<li\b[^>]*>/g, "\n- ")
    .replaceAll(/<\/(?:td|th)>/g, " | ")
    .replaceAll(
      /<\/?(?:p|div|dl|dt|dd|ul|ol|li|table|tr|tbody|thead|br|hr|section|blockquote)\b[^>]*>/g,
      "\n\n",
    )
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(
      /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
      (_, hex?: string, decimal?: string, name = "") =>
        hex !== undefined || decimal !== undefined
          ? String.fromCodePoint(Number.parseInt(hex ?? decimal!, hex === undefined ? 10 : 16))
          : (ENTITIES[name as string] ?? ""),
    )
    .replaceAll("\u00a0", " ")
    .split(/\n\s*\n/)
    .map((part) => (part.includes("```") ? part.trim() : part.replaceAll(/\s+/g, " ").trim()))
    .filter((part) => part !== "")
    .join("\n\n")
    .replaceAll("\u0000", "\n");
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };
