import { AppError } from "#platform";
import { Rotation } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import { ask } from "../../ask.ts";
import { defineCommand, given } from "../../command.ts";
import type { Command, Input } from "../../command.ts";
import { rotateSecret } from "../../console/endpoint-routes.ts";
import { facts, wrap } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { moment } from "../../terminal/times.ts";
import { ENDPOINT, secretShown, secretWords } from "./webhooks-add.ts";

const STEPS = ["activate", "cancel", "now"] as const;

export const webhooksRotate: Command = defineCommand({
  name: "webhooks rotate",
  summary: "Replace a receiver's secret: stage a new one, then activate it",
  arguments: [ENDPOINT],
  options: [
    {
      flags: "--activate",
      summary: "sign with the staged secret, which the receiver knows by now",
    },
    { flags: "--cancel", summary: "forget the staged secret" },
    {
      flags: "--now",
      summary: "make a new secret and sign with it at once: the old one has leaked",
    },
  ],
  examples: [
    ["svc webhooks rotate hook_aaabcdefghij2345klmnop", "shows the new secret this once"],
    [
      "svc webhooks rotate hook_aaabcdefghij2345klmnop --activate",
      "once the receiver takes both; the old one ends a day later",
    ],
  ],
  output: Rotation,
  run: async (operator, input) =>
    ask(operator, rotateSecret, {
      params: { id: given(input, "id") },
      body: { step: stepOf(input) },
    }),
  render: (rotation, terminal) => {
    const { id, change, secret } = rotation;
    const isStaged = change === "staged";
    return [
      wrap(whatWasDone(rotation, terminal), terminal.width, 0),
      ...(secret === undefined
        ? []
        : [isStaged ? secretShown(secret, terminal) : secretWords(secret, terminal)]),
      ...(isStaged
        ? [
            facts(terminal, [
              ["next", "let the receiver take both secrets, the old one and this"],
              ["then", `svc webhooks test ${id} --staged`],
              ["then", `svc webhooks rotate ${id} --activate`],
            ]),
          ]
        : []),
    ].join("\n\n");
  },
});

function stepOf({ options }: Input): types.RotationOrder["step"] {
  const [step = "stage", ...more] = STEPS.filter((one) => options[one] === true);
  if (more.length === 0) return step;
  throw new AppError("invalid_input", {
    what: "It is not said which step of the rotation to take.",
    why: `--${[step, ...more].join(" and --")} exclude each other.`,
    fix: "Give one of them, or none to stage a new secret.",
  });
}

function whatWasDone(
  { id, change, previous_until: until }: types.Rotation,
  terminal: Terminal,
): string {
  const overlapping =
    until === undefined
      ? "The old secret could not be opened and has ended."
      : `webhook-signature carries one of each until the old secret ends ${moment(terminal, until)}.`;
  switch (change) {
    case "staged":
      return `A new secret of ${id} is staged. X-Webhook-Signature is still made with the old one; webhook-signature carries one of each, the old one first.`;
    case "activated":
      return `X-Webhook-Signature of ${id} is made with the new secret from now on. ${overlapping} Take the old secret out of the receiver by then.`;
    case "cancelled":
      return `The staged secret of ${id} is forgotten. Nothing else has changed.`;
    case "replaced":
      return `${id} has a new secret. X-Webhook-Signature is made with it from now on, so a receiver that checks it refuses requests until it knows the secret; \`svc webhooks pause ${id}\` holds them back meanwhile. ${overlapping}`;
  }
}
