import type { Db } from "#platform";
import type { AgentConfig } from "../config/agent-config.ts";
import { selectFiles } from "./store.ts";

/** Longer ones say more than a model needs to talk about them. */
const MAX_CHARACTERS = 4_000;

/** Reads what the agent's tables, documents, code and drawings say, by the id of the content. */
export async function readContentTexts(
  db: Db,
  { content }: AgentConfig,
): Promise<Map<string, string>> {
  const readable = content.flatMap((one) =>
    "file" in one && (TEXT_KINDS.has(one.kind) || one.file.mediaType === SVG)
      ? [{ id: one.id, file: one.file }]
      : [],
  );
  const files = await selectFiles(
    db,
    readable.map(({ file }) => file.sha256),
  );
  return new Map(
    readable.map(({ id, file }) => {
      const text = files.get(file.sha256)?.toString("utf8") ?? "";
      const read = file.mediaType === SVG ? textOfDrawing(text) : text;
      return [id, read.trim().slice(0, MAX_CHARACTERS).toWellFormed()];
    }),
  );
}

const TEXT_KINDS: ReadonlySet<string> = new Set(["markdown", "table", "code"]);
const SVG = "image/svg+xml";

function textOfDrawing(svg: string): string {
  return svg
    .replaceAll(/<style[\s\S]*?<\/style>/gi, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
}
