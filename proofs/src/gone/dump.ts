import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The tables of a database's whole dump in which a text stands, in any case, as text or as bytes in hex. */
export type Places = (text: string) => string[];

/** Dumps everything, as a backup does: rows of every schema, the queue's included. */
export async function dump(databaseUrl: string, version: string): Promise<Places> {
  const { stdout } = await promisify(execFile)(
    `/usr/lib/postgresql/${version}/bin/pg_dump`,
    ["--data-only", databaseUrl],
    { maxBuffer: 500_000_000 },
  );
  return placesIn(stdout);
}

function placesIn(dumped: string): Places {
  const tables = dumped
    .toLowerCase()
    .split(/^copy /m)
    .slice(1)
    .map((block) => ({ name: block.slice(0, block.indexOf(" ")), block }));
  return (text) => {
    const needles = [text.toLowerCase(), Buffer.from(text).toString("hex")];
    return tables
      .filter(({ block }) => needles.some((needle) => block.includes(needle)))
      .map(({ name }) => name);
  };
}
