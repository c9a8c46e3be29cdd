import * as z from "zod";
import { defineCommand } from "../command.ts";
import type { Command } from "../command.ts";
import { checks } from "../doctor-checks.ts";
import type { Check, Finding } from "../doctor-checks.ts";
import { EXIT, explain } from "../explain-error.ts";
import type { Operator } from "../operator.ts";
import { tone, wrap } from "../terminal.ts";
import type { Terminal } from "../terminal.ts";

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
  summary: "Check what Svc stands on, with the fix for what ails",
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
  render: ({ checks: examined }, terminal) => {
    const width = Math.max(...examined.map((one) => one.name.length));
    const failed = examined.filter((one) => one.state === "fail").length;
    const warned = examined.filter((one) => one.state === "warn").length;
    return [
      ...examined.map((one) => line(one, width, terminal)),
      "",
      failed + warned === 0
        ? tone(terminal, "good", "All is well.")
        : `${failed} failed, ${warned} to look at, of ${examined.length} checks.`,
    ].join("\n");
  },
  exitCode: ({ checks: examined }) =>
    examined.some((one) => one.state === "fail") ? EXIT.refused : EXIT.done,
});

async function examine(check: Check, operator: Operator): Promise<Examined> {
  const { monotonicMs } = operator.clock;
  const startedMs = monotonicMs();
  const { state, says, fix } = await check.look(operator).catch(trouble);
  return {
    name: check.name,
    state,
    says,
    ...(fix !== undefined && { fix }),
    took_ms: Math.round(monotonicMs() - startedMs),
  };
}

function trouble(error: unknown): Finding {
  const { what, why, fix } = explain(error);
  return { state: "fail", says: `${what} ${why}`.replace(/\.$/, ""), fix };
}

const STATE_TONE = { ok: "good", warn: "warn", fail: "bad", skip: "quiet" } as const;

function line(
  { name, state, says, fix, took_ms }: Examined,
  width: number,
  terminal: Terminal,
): string {
  const indent = 4 + 2 + width + 2;
  const took = state === "skip" ? "" : `  ${tone(terminal, "quiet", `${took_ms} ms`)}`;
  const text = wrap(says, terminal.width - 10, indent);
  const remedy =
    fix === undefined ? "" : `\n${" ".repeat(indent)}${wrap(fix, terminal.width, indent)}`;
  return `${tone(terminal, STATE_TONE[state], state.padEnd(4))}  ${name.padEnd(width)}  ${text}${took}${remedy}`;
}

export const doctorCommands: Command[] = [doctor];
