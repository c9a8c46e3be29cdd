import { findAccount } from "#accounts";
import { countSuppressed, setSuppressed } from "#followup";
import * as z from "zod";
import { defineCommand, given } from "../command.ts";
import type { Command, Input, Option } from "../command.ts";
import type { Operator } from "../operator.ts";
import { parseAddress } from "../arguments/parse-arguments.ts";
import { table, wrap } from "../terminal/terminal.ts";

const OF_ACCOUNT: Option = {
  flags: "--account <account>",
  summary: "whose mail it is about: client id, number, or the start of its name",
  required: true,
};
const ADDRESS = { name: "address", summary: "a person's mail address; it is not stored" };
const Changed = z.strictObject({
  client_id: z.string(),
  account_name: z.string(),
  changed: z.boolean().describe("False when it was so already"),
});

export const mailSuppress: Command = defineCommand({
  name: "mail suppress",
  summary: "Send a person no more mails of an account, as their own unsubscribing does",
  arguments: [ADDRESS],
  options: [OF_ACCOUNT],
  examples: [["svc mail suppress ada@example.com --account acme", "they asked by telephone"]],
  output: Changed,
  run: (operator, input) => change(operator, input, true),
  render: ({ account_name: name, changed }, terminal) =>
    wrap(
      changed
        ? `No more mails of ${name} go to that address.`
        : `Nothing to do: no mails of ${name} went to that address any more.`,
      terminal.width,
      0,
    ),
});

export const mailAllow: Command = defineCommand({
  name: "mail allow",
  summary: "Let mails of an account reach a person again who had unsubscribed",
  arguments: [ADDRESS],
  options: [OF_ACCOUNT],
  examples: [["svc mail allow ada@example.com --account acme", "only if they ask for it"]],
  output: Changed,
  run: (operator, input) => change(operator, input, false),
  render: ({ account_name: name, changed }, terminal) =>
    wrap(
      changed
        ? `Mails of ${name} may go to that address again.`
        : `Nothing to do: mails of ${name} could go to that address.`,
      terminal.width,
      0,
    ),
});

async function change(
  operator: Operator,
  input: Input,
  suppressed: boolean,
): Promise<z.infer<typeof Changed>> {
  const db = operator.db();
  const marks = operator.addressMarks().marks(parseAddress(given(input, "address")));
  const account = await findAccount(db, given(input, "account"));
  const changed = await setSuppressed(db, operator.actor, account, { marks, suppressed });
  return { client_id: account.clientId, account_name: account.name, changed };
}

export const mailSuppressed: Command = defineCommand({
  name: "mail suppressed",
  summary: "Count who wants no mails of an account, by day; who they are is not stored",
  options: [OF_ACCOUNT],
  examples: [["svc mail suppressed --account acme", "a day on which many left is worth a look"]],
  output: z.strictObject({
    total: z.int(),
    days: z.array(
      z.strictObject({
        day: z.iso.date().describe("In UTC"),
        source: z
          .enum(["unsubscribed", "operator"])
          .describe("`unsubscribed` by the link in a mail, or by `svc mail suppress`"),
        count: z.int(),
      }),
    ),
  }),
  run: async (operator, input) => {
    const db = operator.db();
    const { id } = await findAccount(db, given(input, "account"));
    const days = await countSuppressed(db, id);
    return { total: days.reduce((sum, { count }) => sum + count, 0), days };
  },
  render: ({ total, days }, terminal) =>
    total === 0
      ? "Nobody has unsubscribed."
      : [
          table(terminal, days, [
            { title: "DAY", cell: (one) => one.day },
            { title: "HOW", cell: (one) => one.source },
            { title: "PEOPLE", cell: (one) => one.count.toLocaleString("en"), align: "right" },
          ]),
          `${total.toLocaleString("en")} in all.`,
        ].join("\n"),
});
