import type { Repository } from "./repository.ts";

/** Keeps something that is committed twice, or that names something elsewhere, from drifting apart. */
export interface DriftCheck {
  name: string;
  /** Each in a sentence or two: what drifted, and what to do. */
  problems(): string[];
  /** Names and counts what was checked, so that a check that sees nothing is noticed. */
  summary(): string;
  /** Writes the generated parts again. */
  write?(): void;
}

/** A check that has to wait for something, such as files it imports. */
export interface AsyncDriftCheck extends Omit<DriftCheck, "problems"> {
  problems(): string[] | Promise<string[]>;
}

/** A part of a document that is made, not written. */
export interface MadeSection {
  /** Stands in the marks around it: `<!-- name:start -->` and `<!-- name:end -->`. */
  name: string;
  document: string;
  /** Returns the text between the marks, given the text that is there now. */
  make(current: string): string;
  summary(): string;
  /** Finds problems that making it again does not solve. */
  faults?(current: string): string[];
}

/** Compares the section with what is made now, and writes it when asked to. */
export function madeSection(files: Repository, section: MadeSection): DriftCheck {
  const { name, document } = section;
  const marks = { start: `<!-- ${name}:start -->\n`, end: `<!-- ${name}:end -->` };
  function split(): { before: string; current: string; after: string } | undefined {
    const text = files.read(document) ?? "";
    const from = text.indexOf(marks.start) + marks.start.length;
    const to = text.indexOf(marks.end, from);
    if (from < marks.start.length || to < 0) return undefined;
    return { before: text.slice(0, from), current: text.slice(from, to), after: text.slice(to) };
  }
  return {
    name,
    summary: section.summary,
    problems() {
      const parts = split();
      if (parts === undefined) {
        return [`${document} has lost its marks ${marks.start.trim()} and ${marks.end}. Set them.`];
      }
      const { current } = parts;
      const drifted = current !== section.make(current);
      return [
        ...(drifted ? [`${document} is not in step. Run \`npm run generate\` and commit it.`] : []),
        ...(section.faults?.(current) ?? []),
      ];
    },
    write() {
      const parts = split();
      if (parts === undefined) return;
      files.write(document, parts.before + section.make(parts.current) + parts.after);
    },
  };
}

/** A table as it stands in a document. A bar inside a cell would end the cell. */
export function markdownTable(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines
    .map(
      (cells) => `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |\n`,
    )
    .join("");
}
