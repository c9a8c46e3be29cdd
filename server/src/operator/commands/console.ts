import {
  CONSOLE_ROLES,
  findAccount,
  listConsoleUsers,
  makeConsoleLink,
  makeConsoleToken,
  removeConsoleUser,
} from "#accounts";
import type { ConsoleRole } from "#accounts";
import { AppError, transact } from "#platform";
import type { Db } from "#platform";
import { ConsoleMe } from "@svc/contract/schemas";
import * as z from "zod";
import { toConsoleMe } from "../console/to-console-me.ts";
import { accountWords } from "../console/sign-in-pages.ts";
import { defineCommand, given, optional, repeated } from "../command.ts";
import type { Command, Input } from "../command.ts";
import { table, wrap } from "../terminal/terminal.ts";
import { ago } from "../terminal/times.ts";

const consoleLogin = defineCommand({
  name: "console login",
  summary: "Print a link that signs somebody in to the console once, or their token for svc",
  options: [
    { flags: "--name <name>", summary: "who, as the audit will record them", required: true },
    {
      flags: "--role <role>",
      summary: "what they may do; needed for somebody new",
      choices: CONSOLE_ROLES,
    },
    {
      flags: "--account <account>",
      summary: "see only this account; may be repeated, and replaces what they saw",
      repeatable: true,
    },
    {
      flags: "--all-accounts",
      summary: "see all accounts, as somebody new does without --account",
    },
    {
      flags: "--token",
      summary: "in place of a link a token for `svc --server`, for 30 days",
    },
  ],
  examples: [
    ['svc console login --name "Ada Okafor" --role operator', "a link for somebody new"],
    ['svc console login --name "Ada Okafor"', "the next link, with the role she has"],
    [
      "svc console login --name support@acme --role viewer --account acme",
      "somebody who reads one customer's sessions",
    ],
  ],
  output: z.strictObject({
    user: ConsoleMe,
    url: z
      .string()
      .exactOptional()
      .describe("A path only, where the address of your API is not known here"),
    token: z.string().exactOptional().describe("With --token; shown this once"),
    expires_at: z.iso.datetime(),
  }),
  run: async (operator, input) => {
    const role = optional(input, "role") as ConsoleRole | undefined;
    const isToken = input.options["token"] === true;
    const accounts = await accountsOf(operator.db(), input);
    const { link, made } = await transact(operator.db(), async (trx) => {
      const printed = await makeConsoleLink(trx, operator.actor, {
        name: given(input, "name"),
        ...(role !== undefined && { role }),
        ...(accounts !== undefined && { accounts }),
      });
      if (!isToken) return { link: printed, made: undefined };
      const { actor } = operator;
      const issued = makeConsoleToken(
        trx,
        actor,
        operator.cell(),
        printed.user,
        "svc console login",
      );
      return { link: printed, made: await issued };
    });
    return {
      user: toConsoleMe(link.user),
      ...(made === undefined
        ? { url: `${operator.publicUrl() ?? ""}/console/sign-in#${link.token}` }
        : { token: made.token }),
      expires_at: (made ?? link).expiresAt.toISOString(),
    };
  },
  render: ({ user, url, token, expires_at: at }, terminal) =>
    [
      `${user.name}, ${user.role} of ${accountWords(user)}.`,
      "",
      url === undefined ? `  SVC_SERVER_TOKEN=${token}` : `  ${url}`,
      "",
      wrap(
        url === undefined
          ? `Give it to nobody else: it is shown this once, and works with SVC_SERVER until ${ago(terminal, at)}. They see and revoke it on their page in the console.`
          : `Give it to nobody else: it works once, until ${ago(terminal, at)}. A sign-in ends after an hour without use, and after twelve hours.`,
        terminal.width,
        0,
      ),
    ].join("\n"),
});

async function accountsOf(db: Db, input: Input): Promise<number[] | "all" | undefined> {
  const named = repeated(input, "account");
  if (input.options["allAccounts"] !== true) {
    if (named.length === 0) return undefined;
    const found: number[] = [];
    for (const name of named) found.push((await findAccount(db, name)).id);
    return [...new Set(found)];
  }
  if (named.length === 0) return "all";
  throw new AppError("invalid_input", {
    what: "It is not clear which accounts they should see.",
    why: "--account and --all-accounts were both given.",
    fix: "Give one of the two.",
  });
}

const consoleList = defineCommand({
  name: "console list",
  summary: "List who may sign in to the console",
  examples: [["svc console list", "everybody, with role and accounts"]],
  output: z.strictObject({
    users: z.array(
      z.strictObject({
        user: ConsoleMe,
        created_at: z.iso.datetime(),
        used_at: z.iso.datetime().exactOptional().describe("Of the sign-in that still counts"),
      }),
    ),
  }),
  run: async (operator) => ({
    users: (await listConsoleUsers(operator.db())).map((one) => ({
      user: toConsoleMe(one),
      created_at: one.createdAt.toISOString(),
      ...(one.usedAt !== null && { used_at: one.usedAt.toISOString() }),
    })),
  }),
  render: ({ users }, terminal) =>
    users.length === 0
      ? 'Nobody yet. Let somebody in: svc console login --name "Your name" --role admin'
      : table(terminal, users, [
          { title: "NAME", cell: ({ user }) => user.name, flexible: true },
          { title: "ROLE", cell: ({ user }) => user.role },
          { title: "ACCOUNTS", cell: ({ user }) => accountWords(user), flexible: true },
          {
            title: "LAST USED",
            cell: ({ used_at: at }) => (at === undefined ? "" : ago(terminal, at)),
          },
        ]),
});

const consoleRemove = defineCommand({
  name: "console remove",
  summary: "Take the console from somebody, and end what they have open",
  arguments: [{ name: "name", summary: "their name, as `svc console list` shows it" }],
  examples: [['svc console remove "Ada Okafor"', "works at once"]],
  output: z.strictObject({ name: z.string() }),
  run: async (operator, input) => {
    const name = given(input, "name");
    await transact(operator.db(), (trx) => removeConsoleUser(trx, operator.actor, name));
    return { name };
  },
  render: ({ name }) => `${name} may no longer use the console. The audit keeps what they did.`,
});

export const consoleCommands: Command[] = [consoleLogin, consoleList, consoleRemove];
