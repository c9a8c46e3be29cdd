import type { Db } from "#platform";
import type { AgentConfig } from "../config/agent-config.ts";
import { selectFiles } from "./store.ts";

/** Longer ones say more than a model needs to talk about them. */
const MAX_CHARACTERS = 4_000;

/** What the agent's tables, documents, code and drawings say. */
export interface ContentTexts {
  /** In the default language, by the id of the content. */
  contentTexts: ReadonlyMap<string, string>;
  /** In other languages. */
  translatedTexts: string[];
}

export async function readContentTexts(db: Db, { content }: AgentConfig): Promise<ContentTexts> {
  const files = content.flatMap((one) => [
    ...("file" in one ? [{ ...one, isOriginal: true }] : []),
    ...(one.languages ?? []).flatMap(({ file }) =>
      file === undefined ? [] : [{ id: one.id, kind: one.kind, file, isOriginal: false }],
    ),
  ]);
  const readable = files.filter(({ kind, file }) => TEXT_KINDS.has(kind) || file.mediaType === SVG);
  const stored = await selectFiles(
    db,
    readable.map(({ file }) => file.sha256),
  );
  const texts = readable.map(({ id, file, isOriginal }) => {
    const text = stored.get(file.sha256)?.toString("utf8") ?? "";
    const read = file.mediaType === SVG ? textOfDrawing(text) : text;
    return { id, isOriginal, text: read.trim().slice(0, MAX_CHARACTERS).toWellFormed() };
  });
  const originals = texts.filter(({ isOriginal }) => isOriginal);
  return {
    contentTexts: new Map(originals.map(({ id, text }) => [id, text])),
    translatedTexts: texts.filter((one) => !one.isOriginal).map(({ text }) => text),
  };
}

const TEXT_KINDS: ReadonlySet<string> = new Set(["markdown", "table", "code"]);
const SVG = "image/svg+xml";

function textOfDrawing(svg: string): string {
  return svg
    .replaceAll(/<style[\s\S]*?<\/style>/gi, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
}
