/** The last line of every proof: `name: figure (bound) ok|short`. */
export interface Closing {
  name: string;
  figure: string;
  bound: string;
  ok: boolean;
}

export function closingLine({ name, figure, bound, ok }: Closing): string {
  return `${name}: ${oneLine(figure)} (${oneLine(bound).replaceAll(/[()]/g, "")}) ${ok ? "ok" : "short"}`;
}

export function parseClosingLine(line: string): Closing | undefined {
  const match = /^([a-z0-9-]+): (.+) \(([^()]+)\) (ok|short)$/.exec(line);
  if (match === null) return undefined;
  const [, name = "", figure = "", bound = "", verdict] = match;
  return { name, figure, bound, ok: verdict === "ok" };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
