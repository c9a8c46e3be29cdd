import { expect, it } from "vitest";
import { alertRules } from "./alert-rules.ts";
import { temporaryRepository } from "./temporary-repository.ts";

const RULE = `groups:
  - rules:
      - alert: SvcFull
        expr: sum(svc_calls{state="busy"}) > 3 and rate(svc_wait_seconds_count[5m]) > 0
        annotations:
          runbook_url: https://docs.example.com/operate/runbooks.html#svcfull
`;
const RUNBOOK = "# Runbooks\n\n## SvcFull\n\n```sh\nsvc status\n```\n\n## Svc in general\n";
const TABLE =
  "| `svc_calls` | gauge | `state`: `busy`, `idle` | calls |\n| `svc_wait_seconds` | histogram | | waits |\n";
const PANEL = '{"panels":[{"title":"Calls"},{"title":"Busy","targets":[{"expr":"svc_calls"}]}]}';

function problems({ rule = RULE, runbook = RUNBOOK, table = TABLE, panel = PANEL } = {}): string[] {
  const files = temporaryRepository({
    "deploy/prometheus/svc.rules.yml": rule,
    "deploy/grafana/svc.json": panel,
    "docs/operate/runbooks.md": runbook,
    "docs/operate/monitoring.md": table,
  });
  return alertRules(files).problems();
}

it("accepts alerts that have a runbook and ask for what is measured", () => {
  expect(problems()).toEqual([]);
});

it.each([
  ["an alert without a section", { runbook: "# Runbooks\n" }, 'no section "## SvcFull"'],
  ["a section without a command", { runbook: "## SvcFull\n" }, "names no command"],
  ["a section without an alert", { runbook: `${RUNBOOK}\n## SvcGone\n` }, "section SvcGone"],
  ["a link elsewhere", { rule: RULE.replace("#svcfull", "#full") }, "must end with"],
  ["an unknown metric", { rule: RULE.replace("svc_calls", "svc_call") }, "asks for svc_call,"],
  ["an unknown label", { rule: RULE.replace("state=", "stage=") }, "the label stage"],
  ["a histogram by its bare name", { rule: RULE.replace("_count", "") }, "svc_wait_seconds,"],
  ["an unknown metric of a panel", { panel: PANEL.replace("svc_calls", "svc_x") }, "Busy asks for"],
])("reports %s", (_what, change, said) => {
  expect(problems(change)).toEqual([expect.stringContaining(said)]);
});
