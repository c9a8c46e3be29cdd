import { createHash } from "node:crypto";
import type { Slide } from "@svc/contract/types";
import type { FileReference } from "../file/file-references.ts";
import type { FileWithBytes } from "../file/load-files.ts";
import type { Problem } from "../file/mistake.ts";
import { readSlide } from "./read-slide.ts";

/** Not `application/json`, whose text a plan would print: the author wrote the Markdown. */
export const SLIDE_TYPE = "application/vnd.svc.slide+json";

/** What the call draws for each file of the content, by the path of that file. */
export function slideFiles(
  references: FileReference[],
  files: ReadonlyMap<string, FileWithBytes>,
): { slides: Map<string, FileWithBytes>; problems: Problem[] } {
  const slides = new Map<string, FileWithBytes>();
  const problems: Problem[] = [];
  for (const { file: path, kind } of references) {
    const file = files.get(path);
    if (kind !== "markdown" || file === undefined || slides.has(path)) continue;
    const read = readSlide(file.bytes.toString());
    if (read === undefined) continue;
    if ("slide" in read) slides.set(path, slideFile(path, read.slide));
    else problems.push(...read.problems.map((problem) => ({ file: path, ...problem })));
  }
  return { slides, problems };
}

function slideFile(path: string, slide: Slide): FileWithBytes {
  const bytes = Buffer.from(JSON.stringify(slide));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { path: `${path}.slide.json`, sha256, size: bytes.length, mediaType: SLIDE_TYPE, bytes };
}
