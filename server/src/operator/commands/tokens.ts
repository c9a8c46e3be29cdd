import { AccountTokens, IssuedToken, RevokedToken } from "@svc/contract/schemas";
import type { ListedToken } from "@svc/contract/types";
import { ask } from "../ask.ts";
import { ACCOUNT, defineCommand, given } from "../command.ts";
import type { Command } from "../command.ts";
import {
  issueAccountToken,
  listAccountTokens,
  revokeAccountToken,
} from "../console/token-routes.ts";
import { parseNumber } from "../arguments/parse-arguments.ts";
import { oneLine, table, wrap } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ago } from "../terminal/times.ts";

export function tokenTable(terminal: Terminal, tokens: ListedToken[]): string {
  return table(terminal, tokens, [
    { title: "ID", cell: (one) => String(one.id), align: "right" },
    { title: "LABEL", cell: (one) => one.label, flexible: true },
    { title: "ISSUED", cell: (one) => ago(terminal, one.issued_at) },
    {
      title: "STATE",
      cell: ({ revoked_at: at }) => (at === undefined ? "works" : `revoked ${ago(terminal, at)}`),
      tone: ({ revoked_at: at }) => (at === undefined ? "good" : "quiet"),
    },
  ]);
}

const tokensIssue = defineCommand({
  name: "tokens issue",
  summary: "Issue an API token; it is shown this once",
  arguments: [ACCOUNT],
  options: [
    {
      flags: "--label <text>",
      summary: "what it is for, so that you know it later",
      required: true,
    },
  ],
  examples: [
    ['svc tokens issue acme --label "warehouse"', "prints the token and a command to try it"],
    ["svc tokens issue acme --label ci --json | jq -r .token", "hands it to a program"],
  ],
  output: IssuedToken,
  run: (operator, input) =>
    ask(operator, issueAccountToken, {
      params: { id: given(input, "account") },
      body: { label: given(input, "label") },
    }),
  render: ({ id, name, label, token, url }, terminal) =>
    [
      `Token ${id} for ${oneLine(name)}, "${label}".`,
      wrap("Keep it: it is shown this once, only its hash is stored.", terminal.width, 0),
      "",
      `  SVC_TOKEN=${token}`,
      `  curl -sS -H "Authorization: Bearer $SVC_TOKEN" "${url ?? "$SVC_URL"}/v1/sessions.json?limit=1"`,
      "",
      url === undefined
        ? "Both lines work in a shell once SVC_URL holds the address of your API."
        : "Both lines work in a shell as they stand.",
    ].join("\n"),
});

const tokensList = defineCommand({
  name: "tokens list",
  summary: "List the tokens of an account",
  arguments: [ACCOUNT],
  examples: [["svc tokens list acme", "shows all, revoked ones too"]],
  output: AccountTokens,
  run: (operator, input) =>
    ask(operator, listAccountTokens, { params: { id: given(input, "account") } }),
  render: ({ client_id, name, tokens }, terminal) =>
    tokens.length === 0
      ? `${name} has no token yet. Issue one: svc tokens issue ${client_id} --label "first token"`
      : tokenTable(terminal, tokens),
});

const tokensRevoke = defineCommand({
  name: "tokens revoke",
  summary: "Revoke a token, at once and permanently",
  arguments: [{ name: "id", summary: "the token's number, as `svc tokens list` shows it" }],
  examples: [["svc tokens revoke 7", "the token stops working"]],
  output: RevokedToken,
  run: async (operator, input) => {
    const id = parseNumber(given(input, "id"), "token number", { min: 1, max: 999_999_999 })!;
    return ask(operator, revokeAccountToken, { params: { id: String(id) } });
  },
  render: ({ id, label, within_secs: secs }, terminal) =>
    wrap(
      `Revoked token ${id}, "${label}". A server that has just seen it may take it for ${secs} seconds more.`,
      terminal.width,
      0,
    ),
});

export const tokensCommands: Command[] = [tokensIssue, tokensList, tokensRevoke];
