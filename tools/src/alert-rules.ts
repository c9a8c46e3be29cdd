import type { DriftCheck } from "./drift-check.ts";
import { repository } from "./repository.ts";
import type { Repository } from "./repository.ts";
import { cellsOf } from "./spec-coverage.ts";

const RULES = "deploy/prometheus/svc.rules.yml";
const DASHBOARD = "deploy/grafana/svc.json";
const RUNBOOKS = "docs/operate/runbooks.md";
/** A test of the server compares its table of metrics with a running process. */
const METRICS = "docs/operate/monitoring.md";
/** Labels that Prometheus or a histogram adds. */
const ADDED_LABELS = ["instance", "job", "le"];

export const alertRulesCheck: DriftCheck = alertRules(repository);

/**
 * Every alert has its section in the runbooks, with a command to run, and every alert and panel asks
 * only for metrics and labels that a process has: a misspelt one would never fire, and never say so.
 */
export function alertRules(files: Repository): DriftCheck {
  const alerts = () => alertsIn(files.read(RULES) ?? "");
  const panels = () => panelsIn(files.read(DASHBOARD) ?? "{}");
  return {
    name: "alert-rules",
    summary: () => `${alerts().length} alerts, ${panels().length} queries of the dashboard`,
    problems() {
      const sections = sectionsIn(files.read(RUNBOOKS) ?? "");
      const metrics = metricsIn(files.read(METRICS) ?? "");
      const names = alerts().map(({ name }) => name);
      return [
        ...alerts().flatMap((alert) => runbookFaults(alert, sections)),
        ...[...sections.keys()]
          .filter((name) => !names.includes(name))
          .map((name) => `${RUNBOOKS} has a section ${name}, but ${RULES} no such alert.`),
        ...alerts().flatMap(({ name, text }) => queryFaults(`${RULES}: ${name}`, text, metrics)),
        ...panels().flatMap(({ title, query }) =>
          queryFaults(`${DASHBOARD}: ${title}`, query, metrics),
        ),
      ];
    },
  };
}

interface Alert {
  name: string;
  /** Everything from its name to the next alert. */
  text: string;
}

function alertsIn(rules: string): Alert[] {
  const [, ...texts] = rules.split("- alert: ");
  return texts.map((text) => ({ name: text.slice(0, text.indexOf("\n")), text }));
}

function runbookFaults({ name, text }: Alert, sections: Map<string, string>): string[] {
  const section = sections.get(name);
  if (section === undefined) return [`${RUNBOOKS} has no section "## ${name}". Add it.`];
  return [
    ...(section.includes("```sh\n") ? [] : [`${RUNBOOKS}: ${name} names no command to run.`]),
    ...(text.includes(`runbooks.html#${name.toLowerCase()}\n`)
      ? []
      : [
          `${RULES}: the runbook_url of ${name} must end with runbooks.html#${name.toLowerCase()}.`,
        ]),
  ];
}

/** The sections that alerts lead to: their names begin with Svc and are one word. */
function sectionsIn(page: string): Map<string, string> {
  const [, ...parts] = page.split(/^## (?=Svc\w+$)/m);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf("\n")), part]));
}

function panelsIn(dashboard: string): { title: string; query: string }[] {
  const { panels = [] } = JSON.parse(dashboard) as {
    panels?: { title: string; targets?: { expr: string }[] }[];
  };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, query: expr })),
  );
}

/** The labels of each metric, by its name. */
function metricsIn(page: string): Map<string, string[]> {
  const rows = page.split("\n").filter((line) => line.startsWith("| `svc_"));
  return new Map(
    rows.flatMap((row) => {
      const [name = "", kind, labels = ""] = cellsOf(row);
      const own = [...labels.matchAll(/(?:^|, )`(\w+)`/g)].map(([, label]) => label!);
      const bare = name.replaceAll("`", "");
      const series = kind === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
      return series.map((ending) => [bare + ending, own] as const);
    }),
  );
}

function queryFaults(where: string, query: string, metrics: Map<string, string[]>): string[] {
  const selectors = [...query.matchAll(/\b(svc_\w+)(?:\{([^}]*)\})?/g)];
  return selectors.flatMap(([, metric, matchers = ""]) => {
    const labels = metrics.get(metric!);
    if (labels === undefined) {
      return [`${where} asks for ${metric}, which is not in the table of ${METRICS}.`];
    }
    const asked = [...matchers.matchAll(/(\w+)\s*(?:=|!)/g)].map(([, label]) => label!);
    return asked
      .filter((label) => ![...labels, ...ADDED_LABELS].includes(label))
      .map((label) => `${where} asks for the label ${label}, which ${metric} does not have.`);
  });
}
