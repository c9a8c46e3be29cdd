import type { Db } from "#platform";
import type { AgentConfig, StoredFile } from "../config/agent-config.ts";
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

export async function readContentTexts(db: Db, config: AgentConfig): Promise<ContentTexts> {
  const wanted = readableIn(config).map(({ file }) => file.sha256);
  return contentTextsIn(config, await selectFiles(db, wanted));
}

/** @param files their bytes, by their hash */
export function contentTextsIn(
  config: AgentConfig,
  files: ReadonlyMap<string, Buffer>,
): ContentTexts {
  const tours = config.content.filter(({ kind }) => kind === "tour");
  const texts = readableIn(config).map(({ id, file, isOriginal }) => {
    const text = files.get(file.sha256)?.toString("utf8") ?? "";
    const read = file.mediaType === SVG ? textOfDrawing(text) : text;
    return { id, isOriginal, text: read.trim().slice(0, MAX_CHARACTERS).toWellFormed() };
  });
  const originals = texts.filter(({ isOriginal }) => isOriginal);
  const stepsOf = ({ steps = [] }: { steps?: string[] }): string[] => steps;
  return {
    contentTexts: new Map([
      ...originals.map(({ id, text }) => [id, text] as const),
      ...tours.map((tour) => [tour.id, stepsInWords(tour)] as const),
    ]),
    translatedTexts: [
      ...texts.filter((one) => !one.isOriginal).map(({ text }) => text),
      ...tours.flatMap(({ languages = [] }) => languages.map((one) => stepsOf(one).join("\n"))),
    ],
  };
}

function readableIn({
  content,
}: AgentConfig): { id: string; file: StoredFile; isOriginal: boolean }[] {
  return content
    .flatMap((one) => [
      ...("file" in one ? [{ ...one, isOriginal: true }] : []),
      ...(one.languages ?? []).flatMap(({ file }) =>
        file === undefined ? [] : [{ id: one.id, kind: one.kind, file, isOriginal: false }],
      ),
    ])
    .filter(({ kind, file }) => TEXT_KINDS.has(kind) || file.mediaType === SVG);
}

/** Each step behind the name by which it is shown: `booking/2: Choose a crew.` */
function stepsInWords(tour: AgentConfig["content"][number]): string {
  const steps = ("steps" in tour && tour.steps) || [];
  return steps.map((step, index) => `${tour.id}/${index + 1}: ${step}`).join("\n");
}

const TEXT_KINDS: ReadonlySet<string> = new Set(["markdown", "table", "code"]);
const SVG = "image/svg+xml";

function textOfDrawing(svg: string): string {
  return svg
    .replaceAll(/<style[\s\S]*?<\/style>/gi, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
}
