import { madeSection, markdownTable } from "./drift-check.ts";
import type { DriftCheck } from "./drift-check.ts";
import { repository } from "./repository.ts";
import type { Repository } from "./repository.ts";

const schemaPath = "server/schema.sql";
const pagePath = "docs/reference/data-map.md";

export const dataMapCheck: DriftCheck = dataMap(repository);

/**
 * The data map says of every column that can hold text whether it is about a person, why, for how
 * long, and who sees it. It is read from the schema's comments, so a new column cannot be forgotten.
 */
export function dataMap(files: Repository): DriftCheck {
  const columns = () => columnsOf(files.read(schemaPath) ?? "");
  return madeSection(files, {
    name: "data-map",
    document: pagePath,
    summary: () => {
      const all = columns();
      const personal = all.filter(({ note }) => typeof note === "object").length;
      return `${pagePath}: ${all.length} columns that can hold text, ${personal} of them personal`;
    },
    make: () => tables(columns()),
    faults: () => {
      const all = columns();
      if (all.length === 0) return [`${schemaPath} has no tables. Run \`npm run schema\`.`];
      const unsaid = all.filter(({ note }) => note === undefined);
      return unsaid.map(({ table, name }) => `${table}.${name} ${UNSAID}`);
    },
  });
}

const UNSAID =
  "does not say whether it is personal. In a migration write COMMENT ON COLUMN … IS 'not personal: what it is' or 'personal: why · how long · who sees it', then run `npm run schema`.";

interface Column {
  table: string;
  name: string;
  /** The description of data that is not personal; undefined when there is none, or none that can be read. */
  note: string | { why: string; howLong: string; who: string } | undefined;
}

/** Partitions have the columns of their table and are left out. */
function columnsOf(schema: string): Column[] {
  const partitions = new Set(
    [...schema.matchAll(/ATTACH PARTITION public\.(\w+)/g)].map(([, name]) => name),
  );
  const comments = new Map(
    [...schema.matchAll(/^COMMENT ON COLUMN public\.(\w+\.\w+) IS '((?:[^']|'')*)';$/gm)].map(
      ([, column, text]) => [column!, text!.replaceAll("''", "'")],
    ),
  );
  return [...schema.matchAll(/^CREATE TABLE public\.(\w+) \(\n([\s\S]*?)^\)/gm)]
    .filter(([, table]) => !partitions.has(table))
    .flatMap(([, table, body]) =>
      [...body!.matchAll(TEXT_COLUMN)].map(([, name]) => ({
        table: table!,
        name: name!,
        note: noteOf(comments.get(`${table}.${name}`)),
      })),
    );
}

/** Matches columns of every type that can hold words, arrays included. */
const TEXT_COLUMN =
  /^ {4}(\w+) (?:text|json|jsonb|bytea|tsvector|character varying|xml|hstore|inet|cidr)\b/gm;

function noteOf(comment: string | undefined): Column["note"] {
  const [, plain] = /^not personal: (.+)$/.exec(comment ?? "") ?? [];
  if (plain !== undefined) return plain;
  const parts = /^personal: (.+?) · (.+?) · ([^·]+)$/.exec(comment ?? "");
  if (parts === null) return undefined;
  const [, why, howLong, who] = parts;
  return { why: why!, howLong: howLong!, who: who! };
}

function tables(columns: Column[]): string {
  const personal = columns.flatMap(({ table, name, note }) =>
    typeof note === "object" ? [[`\`${table}.${name}\``, note.why, note.howLong, note.who]] : [],
  );
  const plain = columns.flatMap(({ table, name, note }) =>
    typeof note === "string" ? [[`\`${table}.${name}\``, note]] : [],
  );
  return [
    "\n## About people\n",
    markdownTable(["column", "what and why", "how long", "who sees it"], personal),
    "## Not about people\n",
    markdownTable(["column", "what"], plain),
    "",
  ].join("\n");
}
