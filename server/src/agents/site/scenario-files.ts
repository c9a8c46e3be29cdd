import { stringify } from "yaml";
import type { DraftedScenario } from "./draft-agent.ts";
import { ordersAssistants } from "./orders-to-assistants.ts";
import type { SitePage } from "./site-state.ts";

const MAX_FOUND = 5;

/** Questions that pages themselves ask and answer with a figure. */
export function foundScenarios(pages: SitePage[]): DraftedScenario[] {
  return pages
    .flatMap(({ blocks }) =>
      blocks.flatMap((block, index) => {
        const [, question] = /^#{2,6} (.{8,200}\?)$/.exec(block) ?? [];
        const [fact] =
          /(?<![\p{L}\d])\d[\d.,]*\d|(?<![\p{L}\d.,])\d(?![\p{L}\d])/u.exec(
            blocks[index + 1] ?? "",
          ) ?? [];
        const isFit = question !== undefined && fact !== undefined && !ordersAssistants(question);
        return isFit ? [{ question, fact }] : [];
      }),
    )
    .slice(0, MAX_FOUND);
}

/** `scenarios/site-1.yaml` and so on, which `svc agents rehearse` plays. */
export function scenarioFiles(scenarios: DraftedScenario[], language: string): [string, string][] {
  return scenarios.map(({ question, fact }, index) => [
    `scenarios/site-${index + 1}.yaml`,
    `# yaml-language-server: $schema=../scenario.schema.json\n${stringify({
      name: `Knows the answer to: ${question}`.slice(0, 120),
      language,
      visitor: { says: [question] },
      expect: { must_say: [fact] },
    })}`,
  ]);
}
