import schema from "@svc/contract/agent.schema.json" with { type: "json" };
import { AgentFile } from "@svc/contract/schemas";
import { explainIssue } from "./explain-issue.ts";
import { onePerField } from "./mistake.ts";
import type { Problem } from "./mistake.ts";

/**
 * Everything in an agent file that breaks a rule, apart from the files it names. Empty when the
 * file could not be parsed at all.
 */
export function agentFileProblems(value: unknown): Problem[] {
  if (value === undefined) return [];
  const { error } = AgentFile.safeParse(value);
  const issues = (error?.issues ?? []).flatMap((issue) => explainIssue(issue, value, schema));
  const problems = [
    ...issues.map(({ path, message }) => ({ field: path, message })),
    ...["allowed_origins", "test_origins"].flatMap((field) => originProblems(value, field)),
  ];
  return onePerField(problems);
}

/** Entries that are not origins, and origins that are equal for a browser. */
function originProblems(
  value: unknown,
  field: string,
): { field: PropertyKey[]; message: string }[] {
  const list: unknown = (value as Record<string, unknown> | null)?.[field];
  const origins = (Array.isArray(list) ? list : []).map((one) =>
    typeof one === "string" ? normalOrigin(one) : undefined,
  );
  return origins.flatMap((origin, index) => {
    if (origin === undefined)
      return [
        {
          field: [field, index],
          message: "This is no origin. Write it as https://www.example.com.",
        },
      ];
    if (origins.indexOf(origin) < index)
      return [{ field: [field, index], message: `This is ${origin} again. Remove one.` }];
    return [];
  });
}

/** An origin as browsers send it: `HTTPS://Bücher.example:443/` → `https://xn--bcher-kva.example`. */
export function normalOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol, hostname } = new URL(text);
  const isWeb = protocol === "https:" || protocol === "http:";
  return isWeb && !hostname.includes("*") ? origin : undefined;
}
