import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditGaps } from "./cli/audited.ts";
import { untold } from "./cli/coverage.ts";
import { Judge } from "./cli/judge.ts";
import { crawlHelp } from "./cli/read-help.ts";
import { accounts } from "./cli/scenarios/accounts.ts";
import { agents } from "./cli/scenarios/agents.ts";
import { audit } from "./cli/scenarios/audit.ts";
import { brokenAudit } from "./cli/scenarios/broken-audit.ts";
import { db } from "./cli/scenarios/db.ts";
import { deliveries } from "./cli/scenarios/deliveries.ts";
import { doctor } from "./cli/scenarios/doctor.ts";
import { erase } from "./cli/scenarios/erase.ts";
import { evaluate } from "./cli/scenarios/evaluate.ts";
import { imports } from "./cli/scenarios/import.ts";
import { mail } from "./cli/scenarios/mail.ts";
import { rehearse } from "./cli/scenarios/rehearse.ts";
import { rubric } from "./cli/scenarios/rubric.ts";
import { environmentOf, PASSWORDS } from "./cli/scenarios/scenario.ts";
import type { Scenario } from "./cli/scenarios/scenario.ts";
import { sessions } from "./cli/scenarios/sessions.ts";
import { surroundings } from "./cli/scenarios/surroundings.ts";
import { tokens } from "./cli/scenarios/tokens.ts";
import { webhooks } from "./cli/scenarios/webhooks.ts";
import { leaks, tokensIn } from "./cli/secrets.ts";
import { Svc } from "./cli/svc.ts";
import { buildSdk } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

/** The slowest first: they wait for a pipeline that never comes, and for a server to forget a token. */
const scenarios: Scenario[] = [
  evaluate,
  tokens,
  deliveries,
  brokenAudit,
  db,
  agents,
  rehearse,
  imports,
  accounts,
  sessions,
  rubric,
  webhooks,
  mail,
  erase,
  audit,
  doctor,
  surroundings,
];

export default defineProof({
  covers: [],
  claims: {
    "cli-tells-the-truth": {
      promise:
        "The operator's commands do what their help says, tell what is so, and leak no secret",
      bound: "0 untold commands or flags, 0 faults",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        // The doctor looks whether it is there.
        await buildSdk();
        const directory = await mkdtemp(join(tmpdir(), "svc-cli-"));
        onEnd(() => rm(directory, { recursive: true, force: true }));
        const stage = await openStage();
        onEnd(() => stage.close());
        const svc = new Svc(join(directory, "compiled"));
        onEnd(() => svc.close());
        const judge = new Judge(svc, { environment: environmentOf(stage.database), directory });

        const [help] = await Promise.all([
          crawlHelp((argv) => judge.run(argv)),
          ...scenarios.map((play) =>
            play({ stage, judge, directory }).catch((error: unknown) =>
              judge.check(false, `the scenario ${play.name} broke off: ${String(error)}`),
            ),
          ),
        ]);

        const missing = untold(help, svc.runs);
        judge.faults.push(...(await auditGaps(stage.database)));
        judge.faults.push(...leaks(svc.runs, Object.values(PASSWORDS)));
        judge.faults.push(...brokenChecks(help, svc));
        for (const name of missing) say(`no scenario uses ${name}`);
        for (const fault of judge.faults) say(fault);

        const { rows } = await stage.database.pool.query<{ server_version: string }>(
          "SHOW server_version",
        );
        const flags = help.reduce((sum, command) => sum + command.flags.length, 0);
        say(`${tokensIn(svc.runs)} tokens were shown, in ${svc.runs.length} calls`);
        return {
          figure: `${missing.length} untold of ${help.length} commands and ${flags} flags, ${judge.faults.length} faults in ${svc.runs.length} calls`,
          ok: missing.length === 0 && judge.faults.length === 0 && help.length > 0,
          size: `${svc.runs.length} calls`,
          engines: [`PostgreSQL ${rows[0]!.server_version}`],
        };
      },
    },
  },
});

/** The controls: each check must notice when it is given something that is wrong. */
function brokenChecks(help: Awaited<ReturnType<typeof crawlHelp>>, svc: Svc): string[] {
  const withoutDoctor = svc.runs.filter(({ argv }) => argv[0] !== "doctor");
  const issued = svc.runs.find(({ out }) => out.includes("SVC_TOKEN="));
  return [
    ...(untold(help, withoutDoctor).includes("svc doctor")
      ? []
      : ["a missing scenario is not noticed"]),
    ...(issued !== undefined && leaks([issued, issued], []).length === 1
      ? []
      : ["a token printed twice is not noticed"]),
    ...(leaks([{ argv: [], exitCode: 0, out: "", err: PASSWORDS.owner }], [PASSWORDS.owner])
      .length === 1
      ? []
      : ["a printed password is not noticed"]),
  ];
}
