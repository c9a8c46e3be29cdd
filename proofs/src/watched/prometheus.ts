import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@svc/tools/free-port";
import { ROOT } from "../runner/claims.ts";

/** How many times faster than in production the durations of the rules pass. */
export const SPEED = 20;

/** An alert of the shipped rules. */
export interface Alert {
  name: string;
  /** How long its condition holds before it fires, at this speed. */
  forMs: number;
}

/** A real Prometheus that scrapes processes and has loaded the shipped rules. */
export interface Prometheus {
  alerts: Alert[];
  /** The names of the alerts that fire now. */
  firing(): Promise<Set<string>>;
}

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600 };

/** The rules, with every `for` and every range shorter by the speed. What they compare stays. */
function accelerated(rules: string): string {
  return rules.replaceAll(
    /(for: |\[)(\d+)([smh])/g,
    (_all, before: string, count: string, unit: string) =>
      `${before}${(Number(count) * UNITS[unit]!) / SPEED}s`,
  );
}

function alertsIn(rules: string): Alert[] {
  const [, ...texts] = rules.split("- alert: ");
  return texts.map((text) => ({
    name: text.slice(0, text.indexOf("\n")),
    forMs: Number(/for: (\d+)s/.exec(text)?.[1] ?? 0) * 1_000,
  }));
}

/** @param targets of the operations ports. */
export async function startPrometheus(
  onEnd: (clean: () => unknown) => void,
  targets: string[],
): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), "svc-prometheus-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  const shipped = join(ROOT, "deploy/prometheus/svc.rules.yml");
  const rules = accelerated(await readFile(shipped, "utf8"));
  await cp(shipped, join(folder, "shipped.yml"));
  await writeFile(join(folder, "rules.yml"), rules);
  const hosts = targets.map((url) => JSON.stringify(new URL(url).host)).join(", ");
  await writeFile(
    join(folder, "prometheus.yml"),
    `global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [rules.yml]
scrape_configs: [{ job_name: svc, static_configs: [{ targets: [${hosts}] }] }]\n`,
  );
  await run("/usr/bin/promtool", ["check", "rules", "shipped.yml", "rules.yml"], folder);
  const port = await freePort();
  const child = spawn(
    "/usr/bin/prometheus",
    [
      "--config.file=prometheus.yml",
      "--storage.tsdb.path=data",
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=warn",
    ],
    { cwd: folder, stdio: "ignore" },
  );
  onEnd(async () => {
    if (child.exitCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/-/ready`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`Prometheus ended with ${child.exitCode}.`);
    await delay(100);
  }
  return {
    alerts: alertsIn(rules),
    firing: async () => {
      const { data } = (await (await fetch(`${url}/api/v1/alerts`)).json()) as {
        data: { alerts: { state: string; labels: { alertname: string } }[] };
      };
      const firing = data.alerts.filter(({ state }) => state === "firing");
      return new Set(firing.map(({ labels }) => labels.alertname));
    },
  };
}

async function run(program: string, words: string[], cwd: string): Promise<void> {
  const child = spawn(program, words, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  }
  const code = await Promise.race([
    once(child, "exit").then(([exitCode]) => exitCode as number | null),
    once(child, "error").then(() => {
      throw new Error(`${program} is missing. Install it: apt-get install prometheus`);
    }),
  ]);
  if (code !== 0) throw new Error(`${program} ${words.join(" ")}: ${said}`);
}
