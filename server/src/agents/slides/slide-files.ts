import { createHash } from "node:crypto";
import type { Slide, SlideImage, SlideToken } from "@svc/contract/types";
import type { AgentFolder } from "../file/agent-folder.ts";
import { MAX_BYTES, textOf } from "../file/file-kinds.ts";
import { translationPath } from "../file/file-references.ts";
import type { FileReference } from "../file/file-references.ts";
import type { FileWithBytes } from "../file/load-files.ts";
import type { Problem } from "../file/mistake.ts";
import { highlightCode } from "./highlight-code.ts";
import { pictureSize } from "./picture-size.ts";
import { readSlide } from "./read-slide.ts";

const SLIDE_TYPE = "application/vnd.svc.slide+json";

/** The files that slides show: those that they name, and the dark pictures beside these. */
export async function mediaReferences(
  references: FileReference[],
  folder: AgentFolder,
  filesInFolder: string[],
): Promise<FileReference[]> {
  const media: FileReference[] = [];
  for (const { file, kind, field } of references) {
    if (kind === "image" && (field === undefined || field[0] === "content"))
      media.push({ file, kind });
    if (kind !== "markdown") continue;
    const found = await folder.read(file, MAX_BYTES.markdown);
    const read = "bytes" in found ? readSlide(textOf(found.bytes) ?? "", file) : undefined;
    if (read === undefined || "problems" in read) continue;
    for (const { path, line, ...one } of read.media)
      media.push({ file: path, kind: one.kind, named: { file, line } });
  }
  const dark = media
    .map(({ file, kind }) => ({ file: darkPath(file), kind }))
    .filter(({ file }) => filesInFolder.includes(file));
  return [...media.filter(({ named }) => named !== undefined), ...dark];
}

/** `content/board.dark.png` beside `content/board.png`. */
function darkPath(file: string): string {
  return translationPath(file, "dark");
}

export interface SlideFile {
  data: FileWithBytes;
  /** Other files that it shows. */
  media: FileWithBytes[];
}

/** What the call draws for each file of the content, by the path of that file. */
export async function slideFiles(
  references: FileReference[],
  files: ReadonlyMap<string, FileWithBytes>,
): Promise<{ slides: Map<string, SlideFile>; problems: Problem[] }> {
  const slides = new Map<string, SlideFile>();
  const problems: Problem[] = [];
  for (const { file: path, kind } of references) {
    const file = files.get(path);
    if (file === undefined || slides.has(path)) continue;
    const read = slideOf(kind, file);
    if (read === undefined) continue;
    if ("problems" in read) {
      problems.push(...read.problems.map((problem) => ({ file: path, ...problem })));
      continue;
    }
    const { slide, media } = withMedia(await highlighted(read.slide), files);
    slides.set(path, { data: slideFile(path, slide), media: media.filter((one) => one !== file) });
  }
  return { slides, problems };
}

function slideOf(
  kind: FileReference["kind"],
  { path, bytes }: FileWithBytes,
): { slide: Slide } | { problems: { line: number; message: string }[] } | undefined {
  switch (kind) {
    case "image":
      return { slide: { kind: "screenshot", image: { file: path } } };
    case "code": {
      const [, language = ""] = /\.(\w+)$/.exec(path) ?? [];
      const code = bytes.toString().replace(/\s+$/, "");
      const lines = code.split(/\r\n|[\n\r]/).map((line): SlideToken[] => [[line]]);
      return { slide: { kind: "code", ...(language !== "" && { language }), lines } };
    }
    case "markdown":
      return readSlide(bytes.toString(), path);
    default:
      return undefined;
  }
}

async function highlighted(slide: Slide): Promise<Slide> {
  if (slide.kind !== "code") return slide;
  const lines = slide.lines.map((line) => line.map(([text]) => text).join(""));
  return { ...slide, lines: await highlightCode(lines, slide.language ?? "") };
}

/** Names files by their hash in place of their path. A missing one is reported where it is named. */
function withMedia(
  slide: Slide,
  files: ReadonlyMap<string, FileWithBytes>,
): { slide: Slide; media: FileWithBytes[] } {
  const found = (path: string): (FileWithBytes | undefined)[] => [files.get(path)];
  if (slide.kind === "video") {
    const [video] = found(slide.video);
    if (video === undefined) return { slide, media: [] };
    return { slide: { ...slide, video: video.sha256 }, media: [video] };
  }
  if (slide.kind !== "screenshot") return { slide, media: [] };
  const [light] = found(slide.image.file);
  const [dark] = found(darkPath(slide.image.file));
  const image = ({ sha256, bytes }: FileWithBytes): SlideImage => ({
    ...slide.image,
    file: sha256,
    ...pictureSize(bytes),
  });
  return {
    slide: {
      ...slide,
      ...(light !== undefined && { image: image(light) }),
      ...(dark !== undefined && { dark: image(dark) }),
    },
    media: [light, dark].filter((one) => one !== undefined),
  };
}

function slideFile(path: string, slide: Slide): FileWithBytes {
  const bytes = Buffer.from(JSON.stringify(slide));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { path: `${path}.slide.json`, sha256, size: bytes.length, mediaType: SLIDE_TYPE, bytes };
}
