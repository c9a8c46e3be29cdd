import * as z from "zod";
import { defineCommand } from "../command.ts";
import type { Command } from "../command.ts";
import { checks } from "../doctor/doctor-checks.ts";
import type { Check, Finding } from "../doctor/check.ts";
import { examinationExitCode, renderExamination } from "../pages/examination-page.ts";
import { explain } from "../terminal/explain-error.ts";
import type { Operator } from "../operator.ts";

const Examined = z.strictObject({
  name: z.string(),
  state: z.enum(["ok", "warn", "fail", "skip"]),
  says: z.string(),
  fix: z.string().exactOptional(),
  took_ms: z.int(),
});
type Examined = z.infer<typeof Examined>;

const doctor = defineCommand({
  name: "doctor",
  summary: "Check what Svc depends on, and say how to fix what is wrong",
  examples: [["svc doctor", "exits with 1 when a check fails"]],
  output: z.strictObject({ checks: z.array(Examined) }),
  run: async (operator) => {
    const examined: Examined[] = [];
    for (const check of checks) {
      const databaseIsAway = examined.some(
        (one) => one.name === "database" && one.state === "fail",
      );
      examined.push(
        check.needsDatabase && databaseIsAway
          ? { name: check.name, state: "skip", says: "needs the database", took_ms: 0 }
          : await examine(check, operator),
      );
    }
    return { checks: examined };
  },
  render: ({ checks: examined }, terminal) => renderExamination(examined, terminal),
  exitCode: ({ checks: examined }) => examinationExitCode(examined),
});

async function examine(check: Check, operator: Operator): Promise<Examined> {
  const { monotonicMs } = operator.clock;
  const startedMs = monotonicMs();
  const { state, says, fix, tookMs } = await check.look(operator).catch(trouble);
  return {
    name: check.name,
    state,
    says,
    ...(fix !== undefined && { fix }),
    took_ms: Math.round(tookMs ?? monotonicMs() - startedMs),
  };
}

function trouble(error: unknown): Finding {
  const { what, why, fix } = explain(error);
  return { state: "fail", says: `${what} ${why}`.replace(/\.$/, ""), fix };
}

export const doctorCommands: Command[] = [doctor];
