import { extractText, getDocumentProxy } from "unpdf";

/** A longer document is a book: its parts belong into files of their own. */
const MAX_PAGES = 500;

/** The text of a PDF that has one; undefined for scanned pages. */
export async function readPdf(
  bytes: Uint8Array,
): Promise<{ title: string; blocks: string[]; language: undefined } | undefined> {
  // pdf.js takes over the memory that it is given, and may run what a font says unless told otherwise.
  const pdf = await getDocumentProxy(new Uint8Array(bytes), {
    isEvalSupported: false,
    verbosity: 0,
  });
  if (pdf.numPages > MAX_PAGES) return undefined;
  const { text } = await extractText(pdf);
  const blocks = text.flatMap(paragraphs);
  const [first = ""] = blocks;
  return blocks.length === 0
    ? undefined
    : { title: first.length <= 120 ? first : "", blocks, language: undefined };
}

/** A PDF knows lines, not paragraphs: one ends with a line that ends a sentence well before the margin. */
function paragraphs(page: string): string[] {
  const lines = page.split("\n").map((line) => line.replaceAll(/\s+/g, " ").trim());
  const width = Math.max(0, ...lines.map((line) => line.length));
  const found: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    if (line === "") isOpen = false;
    else if (isOpen) found[found.length - 1] += ` ${line}`;
    else found.push(line);
    if (line !== "") isOpen = line.length > width * 0.7;
  }
  // A line that is only the number of its page says nothing.
  return found.filter((text) => /\p{L}/u.test(text));
}
