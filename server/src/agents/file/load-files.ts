import { createHash } from "node:crypto";
import type { StoredFile } from "../config/agent-config.ts";
import { inBytes } from "./agent-folder.ts";
import type { AgentFolder } from "./agent-folder.ts";
import { mediaTypeOf, MAX_BYTES, MAX_TOTAL_BYTES } from "./file-kinds.ts";
import type { FileReference } from "./file-references.ts";
import type { Problem } from "./mistake.ts";

/** A file that a version is made of. */
export interface FileWithBytes extends StoredFile {
  bytes: Buffer;
}

export async function loadFiles(
  references: FileReference[],
  folder: AgentFolder,
): Promise<{ files: Map<string, FileWithBytes>; problems: Problem[] }> {
  const files = new Map<string, FileWithBytes>();
  const problems: Problem[] = [];
  const sizes = { knowledge: 0, all: 0 };
  for (const { file: path, kind, field, named } of references) {
    const place = field === undefined ? (named ?? { file: path }) : { field };
    const complain = (message: string): void => void problems.push({ ...place, message });
    const found = await folder.read(path, MAX_BYTES[kind]);
    if ("problem" in found) {
      complain(found.problem);
      continue;
    }
    const { bytes } = found;
    const type = mediaTypeOf(kind, path, bytes);
    if ("problem" in type) {
      complain(type.problem);
      continue;
    }
    const groups = kind === "knowledge" ? (["knowledge", "all"] as const) : (["all"] as const);
    for (const group of groups) {
      const before = sizes[group];
      const maxBytes = MAX_TOTAL_BYTES[group];
      sizes[group] += files.has(path) ? 0 : bytes.length;
      // Reported once, at the file that exceeds the total.
      if (before <= maxBytes && sizes[group] > maxBytes)
        complain(
          `With ${path} the ${group === "all" ? "files have" : "knowledge has"} ${inBytes(sizes[group])}. Keep at most ${inBytes(maxBytes)}.`,
        );
    }
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    files.set(path, { path, sha256, size: bytes.length, mediaType: type.mediaType, bytes });
  }
  return { files, problems };
}
