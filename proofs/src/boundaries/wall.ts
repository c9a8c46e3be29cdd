/**
 * A wall and the files that try it. A line that ends with `//!` breaks it and must be reported by
 * `rule` with a message that contains `says`, or the words after `//!`. Every other line is a
 * lawful twin: a rule that bans everything reports it too.
 */
export interface Wall {
  name: string;
  /** As oxlint prints it: "svc(imports)". */
  rule: string;
  says: string;
  files: Record<string, string>;
}

export interface PlantedLine {
  /** "path:line" */
  at: string;
  rule: string;
  says: string;
}

const mark = /\s*\/\/!\s*(.*)$/;

export function plantedLines({ rule, says, files }: Wall): PlantedLine[] {
  return Object.entries(files).flatMap(([path, code]) =>
    code.split("\n").flatMap((line, index) => {
      const marked = mark.exec(line);
      if (marked === null) return [];
      return [{ at: `${path}:${index + 1}`, rule, says: marked[1] || says }];
    }),
  );
}

/** The file as it is written to disk: a rule must not see where it was planted. */
export function withoutMarks(code: string): string {
  return `${code
    .split("\n")
    .map((line) => line.replace(mark, ""))
    .join("\n")}\n`;
}

export function lawfulLineCount(wall: Wall): number {
  return Object.values(wall.files)
    .flatMap((code) => code.split("\n"))
    .filter((line) => line.trim() !== "" && !mark.test(line)).length;
}

/** Sorts walls that use the same file into different layers, so that each has the file to itself. */
export function layersOf(walls: Wall[]): Wall[][] {
  const layers: Wall[][] = [];
  for (const wall of walls) {
    const uses = (other: Wall): boolean =>
      Object.keys(wall.files).some((path) => path in other.files);
    const layer = layers.find((one) => !one.some(uses));
    if (layer === undefined) layers.push([wall]);
    else layer.push(wall);
  }
  return layers;
}
