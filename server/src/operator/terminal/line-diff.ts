/** One line of a comparison. `…` stands for lines that are the same. */
export interface DiffLine {
  sign: "+" | "-" | " " | "…";
  text: string;
}

/** Beyond this many pairs a comparison line by line takes too long to be worth it. */
const MAX_PAIRS = 4_000_000;

/** The lines that differ, with one line around them that does not. */
export function lineDiff(from: string, to: string): DiffLine[] {
  const lines = allLines(from.trimEnd().split("\n"), to.trimEnd().split("\n"));
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - 1), index + 2).some(({ sign }) => sign !== " "),
  );
  return lines.flatMap((line, index): DiffLine[] => {
    if (near[index]) return [line];
    return index > 0 && !near[index - 1] ? [] : [{ sign: "…", text: "" }];
  });
}

function allLines(from: string[], to: string[]): DiffLine[] {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let end = 0;
  const shorter = Math.min(from.length, to.length) - start;
  while (end < shorter && from.at(-1 - end) === to.at(-1 - end)) end++;
  const as = (sign: DiffLine["sign"]) => (text: string) => ({ sign, text });
  return [
    ...from.slice(0, start).map(as(" ")),
    ...middle(from.slice(start, from.length - end), to.slice(start, to.length - end)),
    ...from.slice(from.length - end).map(as(" ")),
  ];
}

/** By the longest common subsequence: `longest[i][j]` lines are common to what follows i and j. */
function middle(from: string[], to: string[]): DiffLine[] {
  if (from.length * to.length > MAX_PAIRS) {
    return [
      ...from.map((text): DiffLine => ({ sign: "-", text })),
      ...to.map((text): DiffLine => ({ sign: "+", text })),
    ];
  }
  const longest = Array.from({ length: from.length + 1 }, () => new Uint32Array(to.length + 1));
  for (let i = from.length - 1; i >= 0; i--) {
    for (let j = to.length - 1; j >= 0; j--) {
      longest[i]![j] =
        from[i] === to[j]
          ? longest[i + 1]![j + 1]! + 1
          : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!);
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    if (i < from.length && j < to.length && from[i] === to[j]) {
      lines.push({ sign: " ", text: from[i]! });
      [i, j] = [i + 1, j + 1];
    } else if (i < from.length && (j === to.length || longest[i + 1]![j]! >= longest[i]![j + 1]!)) {
      lines.push({ sign: "-", text: from[i++]! });
    } else {
      lines.push({ sign: "+", text: to[j++]! });
    }
  }
  return lines;
}
