import * as z from "zod";
import { defineCommand } from "../command.ts";
import type { Command } from "../command.ts";
import { checks } from "../doctor/doctor-checks.ts";
import { examine } from "../doctor/examine.ts";
import { examinationExitCode, renderExamination } from "../pages/examination-page.ts";
import { wrap } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

const Examined = z.strictObject({
  name: z.string(),
  state: z.enum(["ok", "warn", "fail", "skip"]),
  says: z.string(),
  fix: z.string().exactOptional(),
  took_ms: z.int(),
});

const doctor = defineCommand({
  name: "doctor",
  summary: "Check what Svc depends on, and say how to fix what is wrong",
  examples: [["svc doctor", "exits with 1 when a check fails"]],
  output: z.strictObject({ checks: z.array(Examined) }),
  run: async (operator) => {
    const examined = await examine(checks, operator);
    return {
      checks: examined.map(({ name, state, says, fix, tookMs }) => ({
        name,
        state,
        says,
        ...(fix !== undefined && { fix }),
        took_ms: Math.round(tookMs),
      })),
    };
  },
  render: ({ checks: examined }, terminal) =>
    [renderExamination(examined, terminal), ...named(examined, terminal)].join("\n"),
  exitCode: ({ checks: examined }) => examinationExitCode(examined),
});

/** The names of what is not well, because the lines that say it may have left the screen. */
function named(examined: z.infer<typeof Examined>[], terminal: Terminal): string[] {
  const inState = (state: "fail" | "warn", title: string): string[] => {
    const names = examined.filter((one) => one.state === state).map(({ name }) => name);
    return names.length === 0 ? [] : [`${title}: ${names.join(", ")}.`];
  };
  return [...inState("fail", "Failed"), ...inState("warn", "To look at")].map((text) =>
    wrap(text, terminal.width, 2),
  );
}

export const doctorCommands: Command[] = [doctor];
