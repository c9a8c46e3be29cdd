import { dirname, join } from "node:path/posix";
import type { DriftCheck } from "./drift-check.ts";
import { repository } from "./repository.ts";
import type { Repository } from "./repository.ts";

const DOCUMENTS = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/**/*.md"];

/** The top-level folders, those to come included. A word in backticks that starts with one is a path. */
const FOLDERS =
  ".ci|client|console|contract|deploy|docs|examples|proofs|rehearsal|sdk|server|tools";

export const docPathsCheck: DriftCheck = docPaths(repository);

/**
 * Every path in backticks and every relative link in the documents leads somewhere. A path that is
 * still to come is followed by "(later)", until it is there.
 */
export function docPaths(files: Repository): DriftCheck {
  const documents = () => DOCUMENTS.flatMap((pattern) => files.glob(pattern));
  const references = () =>
    documents().flatMap((document) => referencesIn(document, files.read(document) ?? ""));
  return {
    name: "doc-paths",
    summary: () => `${references().length} paths and links in ${documents().length} documents`,
    problems: () => references().flatMap((reference) => faultsOf(reference, files)),
  };
}

interface Reference {
  document: string;
  line: number;
  /** From the root; may be a pattern with `*` or `{a,b}`. */
  path: string;
  later: boolean;
}

function referencesIn(document: string, text: string): Reference[] {
  return withoutFences(text)
    .split("\n")
    .flatMap((content, index) => {
      const at = { document, line: index + 1 };
      const links = [...content.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)/g)].map(
        ([, target]) => ({
          ...at,
          path: join(dirname(document), target!),
          later: false,
        }),
      );
      const paths = [...content.matchAll(/`([^`]+)`(\s*\(later\))?/g)].flatMap(([, code, later]) =>
        code!
          .split(/\s+/)
          .filter((word) => PATH.test(word))
          .map((path) => ({ ...at, path, later: later !== undefined })),
      );
      return [...links, ...paths];
    });
}

/** Angle brackets and dots of omission stand for names to fill in. */
const PATH = new RegExp(`^(?:${FOLDERS})/(?!.*[<>…])`);

function withoutFences(text: string): string {
  return text.replace(/^```[^]*?^```/gm, (fence) => fence.replace(/[^\n]/g, ""));
}

function faultsOf({ document, line, path, later }: Reference, files: Repository): string[] {
  const found = files.glob(path).length > 0;
  if (found === !later) return [];
  return [
    later
      ? `${document}:${line} says "(later)" of ${path}, which is there. Take the word away.`
      : `${document}:${line} names ${path}, which is not there. Correct the path, or write "(later)" after it.`,
  ];
}
