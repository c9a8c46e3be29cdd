import { decodeText } from "./charset.ts";
import { ordersAssistants } from "./orders-to-assistants.ts";
import type { HtmlPage } from "./read-html.ts";

/** A page or a document in words. */
export interface SourceDocument {
  title: string;
  /** Markdown, a block each. */
  blocks: string[];
  language: string | undefined;
  /** Why parts of it were left out. */
  left: string[];
  html?: HtmlPage;
}

/** The kinds that can be read, by their media types and the endings of their names. */
const KINDS = [
  { kind: "html", type: /html/, ending: /\.x?html?$/i },
  { kind: "pdf", type: /^application\/pdf/, ending: /\.pdf$/i },
  { kind: "docx", type: /wordprocessingml/, ending: /\.docx$/i },
  { kind: "openapi", type: /^application\/(?:json|yaml|openapi)/, ending: /\.(?:json|ya?ml)$/i },
  { kind: "text", type: /^text\/(?:plain|markdown)/, ending: /\.(?:md|markdown|txt)$/i },
] as const;

/** @param name its address or path, whose ending decides where the type says nothing */
export async function readDocument(
  bytes: Buffer,
  type: string,
  name: string,
): Promise<{ document?: SourceDocument; why: string }> {
  const kind =
    KINDS.find((one) => one.type.test(type.toLowerCase()))?.kind ??
    (type === "" ? KINDS.find((one) => one.ending.test(name))?.kind : undefined);
  if (kind === undefined) return { why: `is no text (${type || "unknown type"})` };
  try {
    const document = await READERS[kind](bytes, type);
    if (document === undefined) return { why: "is no text that can be read" };
    const { title, blocks, language, html } = document;
    const ordering = blocks.filter(ordersAssistants);
    return {
      why: "",
      document: {
        title: ordersAssistants(title) || title === "" ? titleFrom(name) : title,
        blocks: blocks.filter((block) => !ordering.includes(block)),
        language,
        left: ordering.map((block) => `reads like an order to an AI: "${block.slice(0, 80)}"`),
        ...(html !== undefined && { html }),
      },
    };
  } catch {
    // Half a document would be taken for the whole of it.
    return { why: `is a broken ${kind} file` };
  }
}

type Reader = (
  bytes: Buffer,
  type: string,
) => Promise<Pick<SourceDocument, "title" | "blocks" | "language" | "html"> | undefined>;

/** Parsers are loaded with the first document that needs them: a server never does. */
const READERS: Record<(typeof KINDS)[number]["kind"], Reader> = {
  async html(bytes, type) {
    const { readHtml } = await import("./read-html.ts");
    const html = readHtml(decodeText(bytes, type));
    return { title: html.title, blocks: html.blocks, language: html.language, html };
  },
  async pdf(bytes) {
    const { readPdf } = await import("./read-pdf.ts");
    return readPdf(bytes);
  },
  async docx(bytes) {
    const { readDocx } = await import("./read-docx.ts");
    return readDocx(bytes);
  },
  async openapi(bytes) {
    const { readOpenApi } = await import("./read-openapi.ts");
    return readOpenApi(decodeText(bytes));
  },
  text: (bytes, type) => Promise.resolve(readText(decodeText(bytes, type))),
};

/** Markdown as it is, without front matter; plain text is Markdown too. */
function readText(text: string): Pick<SourceDocument, "title" | "blocks" | "language"> {
  const body = text.replace(/^\uFEFF?---\r?\n[^]*?\r?\n---\r?\n/, "");
  const [, title = ""] = /^#\s+(.+?)\s*#*$/m.exec(body) ?? [];
  const blocks = body
    .replaceAll(/<!--[^]*?-->/g, "")
    .split(/\r?\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== "" && block !== `# ${title}`);
  return { title: title.slice(0, 120), blocks, language: undefined };
}

/** `docs/price-list.pdf` → `Price list`. */
function titleFrom(name: string): string {
  const last =
    name
      .replace(/[?#].*$/, "")
      .split("/")
      .findLast((part) => part !== "") ?? "";
  const words = last
    .replace(/\.\w{1,5}$/, "")
    .replaceAll(/[-_.]+/g, " ")
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
