import { agentSchemaText, scenarioSchemaText, tourSchemaText } from "./contract-documents.ts";
import { madeSection, markdownTable } from "./drift-check.ts";
import type { DriftCheck } from "./drift-check.ts";
import { askServer, repository } from "./repository.ts";
import type { Repository } from "./repository.ts";

/** The subset of JSON Schema that these files use. */
interface Schema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  examples?: string[];
}

export const agentReferenceCheck: DriftCheck = agentReference(repository);
export const scenarioReferenceCheck: DriftCheck = scenarioReference(repository);
export const tourReferenceCheck: DriftCheck = tourReference(repository);

/** The page of all fields of `agent.yaml` shows what the schema says. */
export function agentReference(files: Repository): DriftCheck {
  return fieldsReference(files, "agent", agentSchemaText);
}

/** The same of a scenario. */
export function scenarioReference(files: Repository): DriftCheck {
  return fieldsReference(files, "scenario", scenarioSchemaText);
}

/** The same of a tour. */
function tourReference(files: Repository): DriftCheck {
  return fieldsReference(files, "tour", tourSchemaText);
}

function fieldsReference(files: Repository, of: string, text: () => string): DriftCheck {
  const sections = () => sectionsOf(JSON.parse(text()) as Schema);
  return madeSection(files, {
    name: `${of}-fields`,
    document: `docs/reference/${of}-yaml.md`,
    summary: () => `${sections().reduce((sum, { rows }) => sum + rows.length, 0)} fields`,
    make: () =>
      `\n${sections()
        .map(
          ({ title, words, rows }) =>
            `## ${title}\n\n${words}\n\n${markdownTable(["field", "value", "default", "meaning"], rows)}`,
        )
        .join("\n")}\n`,
  });
}

interface Section {
  title: string;
  words: string;
  rows: string[][];
}

/** One table for each kind of object, the file itself first. */
function sectionsOf(schema: Schema, place = ""): Section[] {
  const fields = Object.entries(schema.properties ?? {});
  const own: Section = {
    title: place === "" ? "The file" : `\`${place}\``,
    words: schema.description ?? "",
    rows: fields.map(([name, field]) => [
      `\`${name}\``,
      valueOf(field),
      defaultOf(field, schema.required?.includes(name) === true),
      (field.description ?? "").replace(DEFAULT, "").trim(),
    ]),
  };
  const inner = fields.flatMap(([name, field]) => {
    const at = place === "" ? name : `${place}.${name}`;
    const [object, label] = objectIn(field, at);
    return object === undefined ? [] : sectionsOf(object, label);
  });
  return [own, ...inner];
}

function objectIn(field: Schema, at: string): [object: Schema | undefined, label: string] {
  const own = [field, ...(field.anyOf ?? [])].find((one) => one.properties);
  if (own !== undefined) return [own, at];
  const item = [field.items, ...(field.items?.anyOf ?? [])].find((one) => one?.properties);
  if (item !== undefined) return [item, `${at}[]`];
  const value = typeof field.additionalProperties === "object" ? field.additionalProperties : {};
  const inside = [value, ...(value.anyOf ?? [])].find((one) => one.properties);
  return [inside, `${at}.<${/\blanguages$/.test(at) ? "code" : "name"}>`];
}

function valueOf(field: Schema): string {
  if (field.anyOf !== undefined) return field.anyOf.map(valueOf).join(", or ");
  if (field.const !== undefined) return `\`${JSON.stringify(field.const)}\``;
  if (field.enum !== undefined) return field.enum.map((one) => `\`${one}\``).join(", ");
  switch (field.type) {
    case "array":
      return `list of at most ${count(field.maxItems)}: ${valueOf(field.items ?? {})}`;
    case "object": {
      if (field.properties !== undefined) return "see below";
      const { additionalProperties: value } = field;
      const inside =
        typeof value === "object" && value.anyOf === undefined ? valueOf(value) : "see below";
      return `at most ${count(field.maxProperties)} keys: ${inside}`;
    }
    case "boolean":
      return "`true`, `false`";
    case "integer":
    case "number": {
      const range =
        field.minimum === undefined ? "" : `, ${field.minimum} to ${count(field.maximum)}`;
      return `${field.type === "integer" ? "whole number" : "number"}${range}`;
    }
    default:
      if (field.examples !== undefined)
        return `such as ${field.examples.map((one) => `\`${one}\``).join(", ")}`;
      return `text, at most ${count(field.maxLength)} characters`;
  }
}

/** From the schema, or from the words of its description, where it depends on other fields. */
function defaultOf(field: Schema, required: boolean): string {
  if (required) return "**required**";
  const { default: value } = field;
  if (value !== undefined) {
    const items = Array.isArray(value) ? value : isObject(value) ? Object.keys(value) : [value];
    return items.map((one) => `\`${String(one)}\``).join(", ");
  }
  return DEFAULT.exec(field.description ?? "")?.[1] ?? "none";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

const DEFAULT = / ?Default: (.*?)\.(?= [A-Z]|$)/;

function count(number: number | undefined): string {
  return number === undefined ? "any number of" : number.toLocaleString("en");
}

interface Reference {
  page: string;
  schema: string;
}

const PAGE = "docs/reference/cli.md";
const SCHEMA = "docs/reference/cli-output.schema.json";

export const cliReferenceCheck: DriftCheck = cliReference(repository, referenceOfServer);

/** The CLI's page and the schema of its JSON are what its commands say of themselves. */
export function cliReference(files: Repository, reference: () => Reference): DriftCheck {
  return {
    name: "cli-reference",
    summary: () => `${reference().page.match(/^#+ svc /gm)?.length ?? 0} commands`,
    problems() {
      const { page, schema } = reference();
      return [
        ...(files.read(PAGE) === page ? [] : [PAGE]),
        ...(files.read(SCHEMA) === schema ? [] : [SCHEMA]),
      ].map((path) => `${path} is not in step. Run \`npm run generate\` and commit it.`);
    },
    write() {
      const { page, schema } = reference();
      files.write(PAGE, page);
      files.write(SCHEMA, schema);
    },
  };
}

let known: Reference | undefined;

function referenceOfServer(): Reference {
  known ??= askServer("./src/operator/reference.ts", "cliReference") as Reference;
  return known;
}
