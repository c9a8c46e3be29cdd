/** Rows of cells, with quotes, line breaks in cells, and either line ending. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/gy;
  for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
    const [, quoted, plain, end] = match;
    row.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
    if (end === "" || cell.lastIndex >= text.length) break;
  }
  return rows;
}
