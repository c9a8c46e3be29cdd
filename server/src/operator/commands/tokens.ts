import { findAccount, issueToken, listTokens, revokeToken } from "#accounts";
import type { ListedToken as StoredToken } from "#accounts";
import { transact } from "#platform";
import * as z from "zod";
import { ACCOUNT, defineCommand, given } from "../command.ts";
import type { Command } from "../command.ts";
import { parseNumber } from "../arguments/parse-arguments.ts";
import { oneLine, table, wrap } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ago } from "../terminal/times.ts";

export const ListedToken: z.ZodType<ListedToken> = z.strictObject({
  id: z.int(),
  label: z.string(),
  issued_at: z.iso.datetime(),
  revoked_at: z.iso.datetime().exactOptional(),
});
export interface ListedToken {
  id: number;
  label: string;
  issued_at: string;
  revoked_at?: string;
}

export function toListedToken(token: StoredToken): ListedToken {
  return {
    id: token.id,
    label: token.label,
    issued_at: token.createdAt.toISOString(),
    ...(token.revokedAt !== null && { revoked_at: token.revokedAt.toISOString() }),
  };
}

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
  output: z.strictObject({
    id: z.int(),
    client_id: z.string(),
    name: z.string(),
    label: z.string(),
    token: z.string(),
    url: z.string().exactOptional(),
  }),
  run: async (operator, input) => {
    const issued = await transact(operator.db(), async (trx) => {
      const { id: accountId, clientId, name } = await findAccount(trx, given(input, "account"));
      const { id, label, token } = await issueToken(
        trx,
        operator.actor,
        operator.cell(),
        accountId,
        given(input, "label"),
      );
      return { id, client_id: clientId, name, label, token };
    });
    const url = operator.publicUrl();
    return { ...issued, ...(url !== undefined && { url }) };
  },
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
  output: z.strictObject({
    client_id: z.string(),
    name: z.string(),
    tokens: z.array(ListedToken),
  }),
  run: async (operator, input) => {
    const { id, clientId, name } = await findAccount(operator.db(), given(input, "account"));
    const tokens = await listTokens(operator.db(), id);
    return { client_id: clientId, name, tokens: tokens.map(toListedToken) };
  },
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
  output: z.strictObject({ id: z.int(), label: z.string(), within_secs: z.int() }),
  run: async (operator, input) => {
    const id = parseNumber(given(input, "id"), "token number", { min: 1, max: 2_147_483_647 })!;
    const { label } = await transact(operator.db(), (trx) => revokeToken(trx, operator.actor, id));
    return { id, label, within_secs: REVOKED_WITHIN_SECS };
  },
  render: ({ id, label, within_secs: secs }, terminal) =>
    wrap(
      `Revoked token ${id}, "${label}". A server that has just seen it may take it for ${secs} seconds more.`,
      terminal.width,
      0,
    ),
});

/** A server remembers a good token for 3 s; the rest is for its clock and the network. */
const REVOKED_WITHIN_SECS = 5;

export const tokensCommands: Command[] = [tokensIssue, tokensList, tokensRevoke];
