import { AgentFile } from "@svc/contract/schemas";
import { explainIssue } from "./explain-issue.ts";
import { fieldName } from "./mistake.ts";
import type { Problem } from "./mistake.ts";
import { normalOrigin } from "./normal-origin.ts";

/** Everything in an agent file that does not fit, file contents aside. Nothing for what could not be read at all. */
export function agentFileProblems(value: unknown): Problem[] {
  if (value === undefined) return [];
  const { error } = AgentFile.safeParse(value);
  const issues = (error?.issues ?? []).flatMap((issue) => explainIssue(issue, value));
  const problems = [
    ...issues.map(({ path, message }) => ({ field: path, message })),
    ...["allowed_origins", "test_origins"].flatMap((field) => originProblems(value, field)),
  ];
  // What is wrong in kind is wrong in size too: the first complaint about a field is enough.
  const seen = new Set<string>();
  return problems.filter(({ field }) => {
    const name = fieldName(field);
    return !seen.has(name) && seen.add(name);
  });
}

/** What looks like an origin and is none, and two that are the same to a browser. */
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
