import {
  agentJsonSchema,
  jsonSchemas,
  scenarioJsonSchema,
  tourJsonSchema,
} from "@svc/contract/schemas";
import type { DriftCheck } from "./drift-check.ts";
import { adminPaths } from "./openapi/admin-operations.ts";
import { responses } from "./openapi/responses.ts";
import { parameters, paths, webhooks } from "./openapi/operations.ts";
import { repository } from "./repository.ts";
import type { Repository } from "./repository.ts";

export const openApiCheck: DriftCheck = openApi(repository);
export const adminOpenApiCheck: DriftCheck = adminOpenApi(repository);
export const agentSchemaCheck: DriftCheck = agentSchema(repository);
export const scenarioSchemaCheck: DriftCheck = scenarioSchema(repository);
export const tourSchemaCheck: DriftCheck = tourSchema(repository);

/** contract/openapi.json is committed, for people to read and for others to generate clients from. */
export function openApi(files: Repository): DriftCheck {
  return madeOfContract(files, "openapi", "contract/openapi.json", openApiText);
}

/** contract/admin-openapi.json is committed, too: the console and `svc` speak it. */
export function adminOpenApi(files: Repository): DriftCheck {
  return madeOfContract(files, "admin-openapi", "contract/admin-openapi.json", adminOpenApiText);
}

/** contract/agent.schema.json is committed: editors complete `agent.yaml` with it. */
export function agentSchema(files: Repository): DriftCheck {
  return madeOfContract(files, "agent-schema", "contract/agent.schema.json", agentSchemaText);
}

/** contract/scenario.schema.json is committed: editors complete `scenarios/*.yaml` with it. */
export function scenarioSchema(files: Repository): DriftCheck {
  const path = "contract/scenario.schema.json";
  return madeOfContract(files, "scenario-schema", path, scenarioSchemaText);
}

/** contract/tour.schema.json is committed: editors complete `tour.yaml` with it. */
export function tourSchema(files: Repository): DriftCheck {
  return madeOfContract(files, "tour-schema", "contract/tour.schema.json", tourSchemaText);
}

function madeOfContract(
  files: Repository,
  name: string,
  path: string,
  text: () => string,
): DriftCheck {
  return {
    name,
    summary: () => `${path} against the contract's types and schemas`,
    problems: () =>
      files.read(path) === text()
        ? []
        : [`${path} is not what the contract says. Run \`npm run generate\` and commit it.`],
    write: () => files.write(path, text()),
  };
}

/**
 * The text of contract/openapi.json: paths written by hand, schemas made from the contract's zod
 * schemas, their descriptions from the doc comments of the contract's types.
 */
export function openApiText(): string {
  const document = {
    openapi: "3.1.1",
    info: {
      title: "Svc session export and webhook",
      version: "1.0.0",
      description:
        "Read the sessions of your account as JSON or CSV, and receive each evaluated session as a signed webhook. " +
        "Every answer with a status of 400 or above carries an `ErrorBody`.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [
      {
        url: "{base_url}",
        description: "The address that the operator gave you.",
        variables: { base_url: { default: "https://svc.example.com" } },
      },
    ],
    security: [{ bearer: [] }, { basic: [] }],
    tags: [
      { name: "export", description: "Sessions of your account, oldest first." },
      { name: "webhook", description: "What Svc sends to the address you registered." },
    ],
    paths: paths(),
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The API token." },
        basic: {
          type: "http",
          scheme: "basic",
          description:
            "Client id and API token. A browser that opens the CSV link asks for these two.",
        },
      },
      parameters,
      responses: responses(),
      schemas: describedSchemas(),
    },
  };
  return `${JSON.stringify(document, exactIntegers, 2).replace(/"exactly (-?\d+)"/g, "$1")}\n`;
}

/** The text of contract/admin-openapi.json, made in the same way. */
export function adminOpenApiText(): string {
  const document = {
    openapi: "3.1.1",
    info: {
      title: "Svc admin API",
      version: "1.0.0",
      description:
        "What the console asks, for the operator's own people. Sign in with a link of `svc console login`; the session is a cookie. " +
        "`x-least-role` names the least role that may call an operation; a change must carry the console's own `Origin`.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ session: [] }, { token: [] }],
    paths: adminPaths(),
    components: {
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-svc_console",
          description: "Set by signing in. HttpOnly, Secure and SameSite=Strict.",
        },
        token: {
          type: "http",
          scheme: "bearer",
          description:
            "A person's token for the command line. With it no `Origin` is needed, and a cookie does not count.",
        },
      },
      schemas: describedSchemas("admin"),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function describedSchemas(api: "customers" | "admin" = "customers"): Record<string, unknown> {
  const types = typesOfContract();
  types.SelectedSession!.properties = types.Session!.properties;
  const schemas = jsonSchemas((name) => `#/components/schemas/${name}`, api);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { comment, properties } = types[name]!;
      for (const [key, property] of Object.entries(schema.properties ?? {})) {
        if (properties[key]) property.description = properties[key];
      }
      return [name, { description: comment, ...schema }];
    }),
  );
}

function typesOfContract(): Record<string, DocumentedType> {
  const sources = repository.glob("contract/src/types/*.ts").map((file) => repository.read(file)!);
  return Object.assign({}, ...sources.map(docComments)) as Record<string, DocumentedType>;
}

/** The bounds of int64 are no JavaScript numbers: written as such they would come out rounded. */
function exactIntegers(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `exactly ${value}` : value;
}

/** Schema and rules from the contract's zod schemas, words from the doc comments of its types. */
export function agentSchemaText(): string {
  return documentText("Svc agent", agentJsonSchema, "agent");
}

export function scenarioSchemaText(): string {
  return documentText("Svc scenario", scenarioJsonSchema, "scenario");
}

export function tourSchemaText(): string {
  return documentText("Svc tour", tourJsonSchema, "tour");
}

function documentText(title: string, make: typeof agentJsonSchema, types: string): string {
  const comments = docComments(repository.read(`contract/src/types/${types}.ts`)!);
  const { $schema, ...schema } = make((name) => comments[name]);
  return `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`;
}

/** The doc comments of the exported interfaces and types in TypeScript sources, by name. */
export function docComments(source: string): Record<string, DocumentedType> {
  const found: Record<string, DocumentedType> = {};
  let current: DocumentedType | undefined;
  for (const { groups } of source.matchAll(COMMENT_AND_NAME)) {
    const { comment = "", type, property } = groups!;
    const words = plainText(comment);
    if (type !== undefined) found[type] = current = { comment: words, properties: {} };
    else if (current !== undefined) current.properties[property!] = words;
  }
  return found;
}

export interface DocumentedType {
  comment: string;
  properties: Record<string, string>;
}

const COMMENT_AND_NAME =
  /(?:\/\*\*(?<comment>(?:(?!\*\/)[^])*)\*\/\s*)?(?:^export (?:interface|type) (?<type>\w+)|^ {2}(?<property>\w+)\??:)/gm;

/** Lines become one paragraph; blank lines and list items keep their place. */
function plainText(comment: string): string {
  return comment
    .replace(/^\s*\* ?/gm, "")
    .trim()
    .replace(/\n(?!\n|- )(?<!\n\n)/g, " ");
}
