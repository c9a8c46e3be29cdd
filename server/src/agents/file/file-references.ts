import * as z from "zod";
import type { FileKind } from "./file-kinds.ts";

/** A file that an agent is made of, and the field that names it. */
export interface FileReference {
  /** Relative to the agent's folder. */
  file: string;
  kind: FileKind;
  /** Absent for knowledge and translations that are used without being named. */
  field?: PropertyKey[];
  /** Where the slide or tour names it that shows it. */
  named?: { file: string; line: number; column?: number; field?: PropertyKey[] };
}

/** Ignores everything that breaks a rule, so that missing files are reported together with other mistakes. */
export function fileReferences(agent: unknown, filesInFolder: string[]): FileReference[] {
  const { brand, avatar, knowledge, content, languages } = Names.parse(agent);
  return [
    ...(brand.logo === undefined
      ? []
      : [{ file: brand.logo, kind: "image" as const, field: ["brand", "logo"] }]),
    ...(knowledge === undefined
      ? defaultKnowledge(filesInFolder)
      : knowledge.flatMap((file, index) =>
          file === undefined
            ? []
            : [{ file, kind: "knowledge" as const, field: ["knowledge", index] }],
        )),
    ...(avatar.poster === undefined
      ? []
      : [{ file: avatar.poster, kind: "image" as const, field: ["avatar", "poster"] }]),
    ...(avatar.loop === undefined
      ? []
      : [{ file: avatar.loop, kind: "video" as const, field: ["avatar", "loop"] }]),
    ...content.flatMap(({ file, kind }, index) =>
      file === undefined || kind === undefined
        ? []
        : [{ file, kind, field: ["content", index, "file"] }],
    ),
    ...content.flatMap(({ file: original, kind, languages: own }, index) =>
      // A tour has the texts of all languages itself.
      kind === undefined || kind === "tour"
        ? []
        : contentCodes(languages, own).flatMap((code): FileReference[] => {
            const named = own[code]?.file;
            if (named !== undefined)
              return [{ file: named, kind, field: ["content", index, "languages", code, "file"] }];
            const file = original && translationPath(original, code);
            return file !== undefined && filesInFolder.includes(file) ? [{ file, kind }] : [];
          }),
    ),
  ];
}

/** The languages that a content may be translated into: those that it names itself, and those of the agent. */
export function contentCodes(languages: object, own: object): string[] {
  return [...new Set([...Object.keys(own), ...Object.keys(languages)])];
}

/** Where the translation of a file is looked for: `content/prices.it.md` for `content/prices.md`. */
export function translationPath(file: string, code: string): string {
  return file.replace(/(?=\.[^./]*$)|(?<!\.[^./]*)$/, `.${code}`);
}

/** The knowledge of an agent that names none: the Markdown files of `knowledge/`. */
function defaultKnowledge(filesInFolder: string[]): FileReference[] {
  return filesInFolder
    .filter((file) => /^knowledge\/[^/]+\.md$/.test(file))
    .map((file) => ({ file, kind: "knowledge" }));
}

const text = z.string().optional().catch(undefined);
const kind = z
  .enum(["image", "markdown", "video", "code", "table", "tour"])
  .optional()
  .catch(undefined);
const translations = z
  .record(z.string(), z.object({ file: text }).catch({ file: undefined }))
  .catch({});
const Names = z
  .object({
    brand: z.object({ logo: text }).catch({ logo: undefined }),
    avatar: z.object({ poster: text, loop: text }).catch({ poster: undefined, loop: undefined }),
    knowledge: z.array(text).optional().catch([]),
    content: z
      .array(
        z
          .object({ kind, file: text, languages: translations })
          .catch({ kind: undefined, file: undefined, languages: {} }),
      )
      .catch([]),
    languages: z.record(z.string(), z.unknown()).catch({}),
  })
  .catch({
    brand: { logo: undefined },
    avatar: { poster: undefined, loop: undefined },
    knowledge: undefined,
    content: [],
    languages: {},
  });
