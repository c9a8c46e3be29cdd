import { AppError, checkAddress, createEgress } from "#platform";
import { examineReceiver } from "#webhooks";
import { ReceiverTest } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import { ask } from "../../ask.ts";
import { defineCommand, given, optional } from "../../command.ts";
import type { Command } from "../../command.ts";
import { testReceiver } from "../../console/endpoint-routes.ts";
import { examinationExitCode, renderExamination } from "../../pages/examination-page.ts";
import { toReceiverTest } from "../../pages/receiver-test-output.ts";
import type { Operator } from "../../operator.ts";
import { heading, tone } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

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
  output: ReceiverTest,
  run: async (operator, input) => {
    const named = given(input, "receiver");
    const secret = optional(input, "secret");
    const staged = input.options["staged"] === true;
    if (!named.startsWith("hook_")) {
      if (secret === undefined || staged) throw secretNeeded();
      return testAddress(operator, named, secret);
    }
    if (secret !== undefined) throw secretKnown();
    const order: types.ReceiverTestOrder = { staged };
    return ask(operator, testReceiver, { params: { id: named }, body: order });
  },
  render: ({ checks, cures }, terminal) =>
    [
      renderExamination(checks, terminal),
      ...cures.map((cure) => `\n${cureWords(cure, terminal)}`),
    ].join("\n"),
  exitCode: ({ checks }) => examinationExitCode(checks),
});

/** Needs no database: whoever sets up a receiver may not have registered it yet. */
async function testAddress(
  operator: Operator,
  typed: string,
  secret: string,
): Promise<types.ReceiverTest> {
  const url = checkAddress(typed, operator.receivers());
  const egress = createEgress(operator.receivers());
  const receiver = { url, secrets: [secret] };
  return toReceiverTest(url, await examineReceiver(receiver, { egress, clock: operator.clock }));
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

function cureWords(
  { checks, node, python }: types.ReceiverTest["cures"][number],
  terminal: Terminal,
): string {
  const indented = (code: string): string => code.replaceAll(/^(?=.)/gm, "    ");
  return [
    heading(terminal, `What fixes ${checks.join(", ")}`),
    `  ${tone(terminal, "quiet", "Node")}`,
    indented(node),
    `  ${tone(terminal, "quiet", "Python")}`,
    indented(python),
  ].join("\n");
}
