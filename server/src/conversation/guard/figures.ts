import { figuresIn, Source } from "#language";

/** Stand-in until the real one is merged. */
export interface FigureTrouble {
  code: "money" | "figure" | "link";
  figure: string;
  why: string;
}
export interface FigureSources {
  language: string;
  owner: Source[];
  visitor: string[];
  agent: string[];
  calculations: string[];
  today: Date;
}
export function judgeFigures(sentence: string, known: FigureSources): FigureTrouble | undefined {
  const told = new Source([...known.visitor, ...known.agent].join("\n"));
  const figures = figuresIn(sentence, known.language);
  const unknown = figures.find(
    (one) => ![...known.owner, told].some((source) => source.holds(one)),
  );
  if (unknown === undefined) return undefined;
  const figure = unknown.numbers[0] ?? unknown.words[0]!.trim();
  const code =
    unknown.numbers.length === 0 ? "link" : /[€$%]|euro/i.test(sentence) ? "money" : "figure";
  return { code, figure, why: `${figure} stands nowhere.` };
}
