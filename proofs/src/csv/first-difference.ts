/** Where two tables of cells differ first, in words; undefined when they are equal. */
export function firstDifference(wanted: string[][], read: string[][]): string | undefined {
  for (const [index, row] of wanted.entries()) {
    const got = read[index];
    if (got === undefined) return `row ${index} of ${wanted.length} is missing`;
    const column = row.findIndex((cell, at) => cell !== got[at]);
    if (column >= 0) return `row ${index}, column ${column}: ${shown(row[column]!, got[column])}`;
    if (got.length > row.length) return `row ${index} has ${got.length} cells, not ${row.length}`;
  }
  return read.length > wanted.length ? `${read.length} rows, not ${wanted.length}` : undefined;
}

function shown(want: string, have = ""): string {
  let at = 0;
  while (at < want.length && want[at] === have[at]) at++;
  const near = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 20), at + 40));
  return `wanted ${near(want)}, read ${near(have)} at character ${at}`;
}
