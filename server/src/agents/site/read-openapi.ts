import { parse } from "yaml";
import * as z from "zod";

const text = z.string().optional().catch(undefined);
const Parameter = z.object({ name: text, in: text, description: text }).catch({});
const Operation = z
  .object({
    summary: text,
    description: text,
    parameters: z.array(Parameter).optional().catch(undefined),
    responses: z.record(z.string(), z.object({ description: text }).catch({})).catch({}),
  })
  .optional()
  .catch(undefined);

/** What is told of an API, from its OpenAPI file of version 2 or 3. */
const Api = z.object({
  info: z.object({ title: z.string(), description: text, version: text }),
  paths: z.record(z.string(), z.record(z.string(), Operation).catch({})),
});

const METHODS = ["get", "put", "post", "delete", "patch", "head", "options"];

/** Undefined for a file that describes no API. */
export function readOpenApi(
  source: string,
): Promise<{ title: string; blocks: string[]; language: undefined } | undefined> {
  const { data } = Api.safeParse(parse(source, { maxAliasCount: 100 }));
  if (data === undefined) return Promise.resolve(undefined);
  const { info, paths } = data;
  const blocks = Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => operationBlocks(method, path, operations[method])),
  );
  return Promise.resolve({
    title: info.title,
    blocks: [...texts(info.description), ...blocks],
    language: undefined,
  });
}

function operationBlocks(
  method: string,
  path: string,
  operation: z.infer<typeof Operation>,
): string[] {
  if (operation === undefined) return [];
  const { summary, description, parameters = [], responses } = operation;
  const named = parameters.flatMap(({ name, in: where, description: about }) =>
    name === undefined
      ? []
      : [`- \`${name}\` (${where ?? "body"})${about ? `: ${about.trim()}` : ""}`],
  );
  const answers = Object.entries(responses).map(
    ([status, { description: about }]) => `- ${status}${about ? `: ${about.trim()}` : ""}`,
  );
  return [
    `## ${method.toUpperCase()} ${path}`,
    ...texts(summary),
    ...texts(description === summary ? undefined : description),
    ...(named.length > 0 ? ["Parameters:", named.join("\n")] : []),
    ...(answers.length > 0 ? ["Answers:", answers.join("\n")] : []),
  ];
}

function texts(given: string | undefined): string[] {
  return (given ?? "")
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
