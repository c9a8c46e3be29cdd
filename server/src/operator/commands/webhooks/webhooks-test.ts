import { listAgents } from "#agents";
import { AppError, checkAddress, createEgress, transact } from "#platform";
import { CURES, examineReceiver, openForTest } from "#webhooks";
import type { CureName, ReceiverFinding } from "#webhooks";
import * as z from "zod";
import { defineCommand, given, optional } from "../../command.ts";
import type { Command, Input } from "../../command.ts";
import { examinationExitCode, renderExamination } from "../../pages/examination-page.ts";
import type { Examined } from "../../pages/examination-page.ts";
import type { Operator } from "../../operator.ts";
import { heading, tone } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const CureOf = z.strictObject({
  checks: z.array(z.string()),
  node: z.string(),
  python: z.string(),
});

export const webhooksTest: Command = defineCommand({
  name: "webhooks test",
  summary: "Send a receiver a made-up session in several ways, and say what to fix",
  arguments: [{ name: "receiver", summary: "an endpoint's id, or an address with --secret" }],
  options: [
    { flags: "--secret <secret>", summary: "what to sign with, for an address" },
    { flags: "--staged", summary: "sign as after `svc webhooks rotate <id> --activate`" },
  ],
  examples: [
    ["svc webhooks test hook_aaabcdefghij2345klmnop", "exits with 1 when a check fails"],
    [
      "svc webhooks test https://example.com/hook --secret whsec_…",
      "before the receiver is registered",
    ],
  ],
  output: z.strictObject({
    url: z.string(),
    checks: z.array(
      z.strictObject({
        name: z.string(),
        state: z.enum(["ok", "warn", "fail", "skip"]),
        says: z.string(),
        fix: z.string().exactOptional(),
        took_ms: z.int().exactOptional(),
      }),
    ),
    cures: z.array(CureOf).describe("Code that fixes what was found"),
  }),
  run: async (operator, input) => {
    const receiver = await receiverOf(operator, input);
    const egress = createEgress(operator.receivers());
    const findings = await examineReceiver(receiver, { egress, clock: operator.clock });
    return { url: receiver.url, checks: findings.map(toExamined), cures: curesOf(findings) };
  },
  render: ({ checks, cures }, terminal) =>
    [
      renderExamination(checks, terminal),
      ...cures.map((cure) => `\n${cureWords(cure, terminal)}`),
    ].join("\n"),
  exitCode: ({ checks }) => examinationExitCode(checks),
});

async function receiverOf(
  operator: Operator,
  input: Input,
): Promise<{ url: string; secrets: string[]; agentId?: string | undefined }> {
  const named = given(input, "receiver");
  const secret = optional(input, "secret");
  const asActivated = input.options["staged"] === true;
  if (!named.startsWith("hook_")) {
    if (secret === undefined || asActivated) throw secretNeeded();
    return { url: checkAddress(named, operator.receivers()), secrets: [secret] };
  }
  if (secret !== undefined) throw secretKnown();
  const endpoint = await transact(operator.db(), (trx) =>
    openForTest(trx, operator.actor, operator.secrets(), named, asActivated),
  );
  const { url, secrets, accountId, agentIds } = endpoint;
  const agentId = agentIds?.[0] ?? (await listAgents(operator.db(), accountId))[0]?.id;
  return { url, secrets, agentId };
}

function secretNeeded(): AppError {
  return new AppError("invalid_input", {
    what: "There is nothing to sign with.",
    why: "An address that is tested by itself has no secret here, staged or not.",
    fix: "Add --secret whsec_…, or name an endpoint: `svc webhooks list` shows their ids.",
  });
}

function secretKnown(): AppError {
  return new AppError("invalid_input", {
    what: "A secret was given for an endpoint.",
    why: "An endpoint is tested with the secret that its deliveries are signed with.",
    fix: "Leave --secret out, or test the address instead.",
  });
}

function toExamined({ name, state, says, fix, tookMs }: ReceiverFinding): Examined {
  return {
    name,
    state,
    says,
    ...(fix !== undefined && { fix }),
    ...(tookMs !== undefined && { took_ms: Math.round(tookMs) }),
  };
}

function curesOf(findings: ReceiverFinding[]): z.infer<typeof CureOf>[] {
  const names = new Map<CureName, string[]>();
  for (const { name, cure } of findings) {
    if (cure !== undefined) names.set(cure, [...(names.get(cure) ?? []), name]);
  }
  return [...names].map(([cure, checks]) => ({ checks, ...CURES[cure] }));
}

function cureWords({ checks, node, python }: z.infer<typeof CureOf>, terminal: Terminal): string {
  const indented = (code: string): string => code.replaceAll(/^(?=.)/gm, "    ");
  return [
    heading(terminal, `What fixes ${checks.join(", ")}`),
    `  ${tone(terminal, "quiet", "Node")}`,
    indented(node),
    `  ${tone(terminal, "quiet", "Python")}`,
    indented(python),
  ].join("\n");
}
