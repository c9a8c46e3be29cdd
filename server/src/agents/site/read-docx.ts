import { inflateRawSync } from "node:zlib";

/** More than any document's text; a few bytes can unpack to more than the memory holds. */
const MAX_BYTES = 50_000_000;

/** The paragraphs, headings, lists and tables of a Word document. */
export function readDocx(
  bytes: Buffer,
): { title: string; blocks: string[]; language: undefined } | undefined {
  const xml = unzipped(bytes, "word/document.xml");
  if (xml === undefined) return undefined;
  // Deleted text and hidden text are not what the author shows.
  const shown = xml
    .replaceAll(/<w:del\b[^]*?<\/w:del>/g, "")
    .replaceAll(/<w:r\b(?:(?!<\/w:r>)[^])*?<w:vanish\/>[^]*?<\/w:r>/g, "");
  const parts = shown.match(/<w:tbl>[^]*?<\/w:tbl>|<w:p\b[^>]*>[^]*?<\/w:p>/g) ?? [];
  const blocks = parts.map((part) => (part.startsWith("<w:tbl") ? table(part) : paragraph(part)));
  const written = blocks.filter((block) => block !== "");
  const title = written.find((block) => block.startsWith("#"))?.replace(/^#+ /, "") ?? "";
  return {
    title: title.slice(0, 120),
    blocks: written.filter((block) => block.replace(/^#+ /, "") !== title),
    language: undefined,
  };
}

function paragraph(xml: string): string {
  const text = words(xml);
  if (text === "") return "";
  const [, style = ""] = /<w:pStyle w:val="([^"]+)"/.exec(xml) ?? [];
  const [, level] =
    /^(?:Heading|berschrift|Überschrift|Titre|Ttulo|Título)\s?(\d)/i.exec(style) ?? [];
  if (/^Title$|^Titel$/i.test(style)) return `# ${text}`;
  if (level !== undefined) return `${"#".repeat(Math.min(6, Number(level) + 1))} ${text}`;
  return xml.includes("<w:numPr>") ? `- ${text}` : text;
}

function table(xml: string): string {
  const rows = (xml.match(/<w:tr\b[^]*?<\/w:tr>/g) ?? []).map((row) =>
    (row.match(/<w:tc>[^]*?<\/w:tc>/g) ?? []).map((cell) => words(cell).replaceAll("|", "\\|")),
  );
  const [head = [], ...rest] = rows;
  const line = (cells: string[]): string => `| ${cells.join(" | ")} |`;
  return head.length === 0
    ? ""
    : [line(head), line(head.map(() => "---")), ...rest.map(line)].join("\n");
}

function words(xml: string): string {
  const texts = xml.match(/<w:t(?: [^>]*)?>[^<]*<\/w:t>|<w:(?:tab|br)\b[^>]*\/>|<\/w:p>/g) ?? [];
  return texts
    .map((part) =>
      part.startsWith("<w:t>") || part.startsWith("<w:t ") ? part.replaceAll(/<[^>]*>/g, "") : " ",
    )
    .join("")
    .replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name])
    .replaceAll(/\s+/g, " ")
    .trim();
}

const ENTITIES = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

/** One file of a ZIP archive, found by the directory at its end. */
function unzipped(zip: Buffer, name: string): string | undefined {
  const end = zip.lastIndexOf("PK\u0005\u0006", undefined, "latin1");
  if (end < 0) return undefined;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((by) =>
      zip.readUInt16LE(at + by),
    );
    const found = zip.toString("utf8", at + 46, at + 46 + nameLength!);
    if (found === name) {
      const local = zip.readUInt32LE(at + 42);
      const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const packed = zip.subarray(from, from + zip.readUInt32LE(at + 20));
      const isPacked = zip.readUInt16LE(at + 10) === 8;
      return (
        isPacked ? inflateRawSync(packed, { maxOutputLength: MAX_BYTES }) : packed
      ).toString();
    }
    at += 46 + nameLength! + extraLength! + commentLength!;
  }
  return undefined;
}
