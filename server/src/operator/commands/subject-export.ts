import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { findAccount } from "#accounts";
import { AppError, createLog } from "#platform";
import { createRights } from "#rights";
import type { SubjectConversation } from "#rights";
import * as z from "zod";
import { defineCommand, given, optional } from "../command.ts";
import type { Command } from "../command.ts";
import { wrap } from "../terminal/terminal.ts";

const subjectExport = defineCommand({
  name: "subject export",
  summary: "Write all that is kept of a person into a file, to answer a request for access",
  options: [
    { flags: "--email <address>", summary: "whose", required: true },
    { flags: "--account <account>", summary: "only in this account; in all when left out" },
    {
      flags: "--output <file>",
      summary: "a new file that only you may read; one conversation per line",
      required: true,
    },
  ],
  examples: [
    [
      "svc subject export --email ada@example.com --account acme --output ada.jsonl",
      "what one customer keeps of her",
    ],
  ],
  output: z.strictObject({ file: z.string(), conversations: z.int() }),
  run: async (operator, input) => {
    const account = optional(input, "account");
    const accountId =
      account === undefined ? undefined : (await findAccount(operator.db(), account)).id;
    const rights = createRights({ db: operator.db(), log: createLog("silent") });
    const subject = rights.subjectExport({ email: given(input, "email"), accountId });
    const lines: string[] = [];
    for await (const conversation of subject)
      lines.push(`${JSON.stringify(toLine(conversation))}\n`);
    if (lines.length === 0) throw nothingKept();
    const file = resolve(operator.directory, given(input, "output"));
    await writeNew(file, lines.join(""));
    return { file, conversations: lines.length };
  },
  render: ({ file, conversations }, terminal) =>
    [
      `Wrote ${conversations} ${conversations === 1 ? "conversation" : "conversations"} to ${file}.`,
      wrap(
        "It holds personal data: hand it over by a safe way, and delete it then. Make sure that who asks is who they say.",
        terminal.width,
        0,
      ),
    ].join("\n"),
});

export const subjectCommands: Command[] = [subjectExport];

function toLine(one: SubjectConversation): object {
  return {
    session_id: one.id,
    account: one.accountName,
    client_id: one.clientId,
    brand: one.brandName,
    agent: one.agentName,
    started_at: one.startedAt,
    language: one.language,
    page: one.page,
    notice_accepted_at: one.noticeAcceptedAt,
    status: one.status,
    duration_secs: one.durationSecs,
    email: one.email,
    email_verified: one.emailVerified,
    metadata: one.metadata,
    transcript: one.turns,
    summary: one.summary,
    evaluation: one.evaluation,
    events: one.events,
  };
}

/** Writes a new file that others cannot read. Never overwrites one. */
async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600).catch((error: unknown) => {
    throw new AppError(
      "conflict",
      {
        what: `${path} cannot be written.`,
        why:
          (error as { code?: unknown }).code === "EEXIST"
            ? "There is a file of that name already."
            : "Its folder is not there, or you may not write to it.",
        fix: "Name another file with --output.",
      },
      { cause: error },
    );
  });
  await file.writeFile(text).finally(() => file.close());
}

function nothingKept(): AppError {
  return new AppError("not_found", {
    what: "Nothing is kept of that address.",
    why: "It never was here, or has been erased. An address that was only spoken or typed into another field does not lead to a session.",
    fix: "Look for the session with `svc sessions list`; `svc sessions show` tells all of it.",
  });
}
