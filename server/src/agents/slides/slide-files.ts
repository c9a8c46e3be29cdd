import { createHash } from "node:crypto";
import type { Slide, SlideImage, SlideToken, Tour, TourFile } from "@svc/contract/types";
import type { AgentFolder } from "../file/agent-folder.ts";
import { MAX_BYTES, textOf } from "../file/file-kinds.ts";
import { translationPath } from "../file/file-references.ts";
import type { FileReference } from "../file/file-references.ts";
import type { FileWithBytes } from "../file/load-files.ts";
import type { Problem } from "../file/mistake.ts";
import { readTour } from "../tours/read-tour.ts";
import { stepInWords, tourIn, tourLanguages } from "../tours/tour-slides.ts";
import { highlightCode } from "./highlight-code.ts";
import { pictureSize } from "./picture-size.ts";
import { readSlide } from "./read-slide.ts";

const SLIDE_TYPE = "application/vnd.svc.slide+json";

/** The languages of an agent. */
export interface AgentLanguages {
  codes: string[];
  defaultLanguage: string;
}

/** The files that slides and tours show: those that they name, and the dark and translated pictures beside these. */
export async function mediaReferences(
  references: FileReference[],
  folder: AgentFolder,
  filesInFolder: string[],
  languages: AgentLanguages,
): Promise<FileReference[]> {
  const contents = references.filter(
    ({ kind, field }) => kind === "image" && (field === undefined || field[0] === "content"),
  );
  const named: FileReference[] = [];
  const translated: FileReference[] = [];
  for (const { file, kind } of references) {
    if (kind !== "markdown" && kind !== "tour") continue;
    const found = await folder.read(file, MAX_BYTES[kind]);
    const text = "bytes" in found ? textOf(found.bytes) : undefined;
    if (text === undefined) continue;
    const media = kind === "tour" ? picturesOf(text, file, languages) : mediaOf(text, file);
    named.push(...media);
    if (kind !== "tour") continue;
    for (const { file: picture } of media)
      for (const code of languages.codes)
        translated.push({ file: translationPath(picture, code), kind: "image" });
  }
  const inFolder = ({ file }: FileReference): boolean => filesInFolder.includes(file);
  const beside = translated.filter(inFolder);
  const dark = [...contents, ...named, ...beside]
    .map(({ file, kind }) => ({ file: darkPath(file), kind }))
    .filter(inFolder);
  return [...named, ...beside, ...dark];
}

function mediaOf(text: string, file: string): FileReference[] {
  const read = readSlide(text, file);
  if (read === undefined || "problems" in read) return [];
  return read.media.map(({ path, kind, line }) => ({ file: path, kind, named: { file, line } }));
}

function picturesOf(
  text: string,
  file: string,
  { defaultLanguage }: AgentLanguages,
): FileReference[] {
  const read = readTour(text, file, defaultLanguage);
  if ("problems" in read) return [];
  return read.pictures.map(({ path, ...place }) => ({
    file: path,
    kind: "image",
    named: { file, ...place },
  }));
}

/** `content/board.dark.png` beside `content/board.png`. */
function darkPath(file: string): string {
  return translationPath(file, "dark");
}

export interface SlideFile {
  data: FileWithBytes;
  /** Other files that it shows. */
  media: FileWithBytes[];
  /** Of a tour: what each step shows, in words. */
  steps?: string[];
  /** Of a tour: the same in other languages. */
  languages?: ReadonlyMap<string, SlideFile>;
}

/** What the call draws for each file of the content, by the path of that file. */
export async function slideFiles(
  references: FileReference[],
  files: ReadonlyMap<string, FileWithBytes>,
  languages: AgentLanguages,
): Promise<{ slides: Map<string, SlideFile>; problems: Problem[] }> {
  const slides = new Map<string, SlideFile>();
  const problems: Problem[] = [];
  for (const { file: path, kind } of references) {
    const file = files.get(path);
    if (file === undefined || slides.has(path)) continue;
    const read =
      kind === "tour"
        ? readTour(file.bytes.toString(), path, languages.defaultLanguage)
        : slideOf(kind, file);
    if (read === undefined) continue;
    if ("problems" in read) {
      problems.push(...read.problems.map((problem) => ({ file: path, ...problem })));
      continue;
    }
    if ("tour" in read) {
      slides.set(path, tourFile(path, read.tour, files, languages));
      continue;
    }
    const { slide, media } = withMedia(await highlighted(read.slide), files);
    slides.set(path, { data: slideFile(path, slide), media: media.filter((one) => one !== file) });
  }
  return { slides, problems };
}

function tourFile(
  path: string,
  tour: TourFile,
  files: ReadonlyMap<string, FileWithBytes>,
  { codes, defaultLanguage }: AgentLanguages,
): SlideFile {
  const isFile = (file: string): boolean => files.has(file);
  const fileIn = (code: string): SlideFile => {
    const { steps } = tourIn(tour, code, defaultLanguage, isFile);
    const drawn = steps.map((step) => withMedia(step, files));
    const whole: Tour = { steps: drawn.map(({ slide }) => slide) };
    const media = new Set(drawn.flatMap((one) => one.media));
    const data = slideFile(`${path}.${code}`, whole);
    return { data, media: [...media], steps: steps.map(stepInWords) };
  };
  const others = tourLanguages(tour, codes, isFile).filter((code) => code !== defaultLanguage);
  return {
    ...fileIn(defaultLanguage),
    languages: new Map(others.map((code) => [code, fileIn(code)])),
  };
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
function withMedia<S extends Slide>(
  slide: S,
  files: ReadonlyMap<string, FileWithBytes>,
): { slide: S; media: FileWithBytes[] } {
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

function slideFile(path: string, slide: Slide | Tour): FileWithBytes {
  const bytes = Buffer.from(JSON.stringify(slide));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { path: `${path}.slide.json`, sha256, size: bytes.length, mediaType: SLIDE_TYPE, bytes };
}
