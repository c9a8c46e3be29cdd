import { transact } from "#platform";
import { addCustomer, end, exportRow, jobSenderOf, say, sessionRow, settle, start } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { addTurn, endSession } from "./session.ts";

describe("turns", () => {
  const turn = (itemId: string, content: string, interrupted = false) =>
    ({ itemId, role: "user", content, interrupted, at: new Date() }) as const;

  // K3
  databaseTest("sent twice are one turn, as it was first heard", async ({ database }) => {
    const session = await start(database.db, await addCustomer(database.db));
    for (const content of ["Hello", "Hello again"]) {
      await transact(database.db, (trx) => addTurn(trx, session, turn("item-1", content)));
    }
    await end(database.db, session);
    await settle(database.db, session, { status: "error", reason: "model_output" });
    expect((await exportRow(database, session.id))?.["transcript"]).toBe(
      '[{"role":"user","content":"Hello"}]',
    );
  });

  databaseTest("of which nothing was heard leave no entry", async ({ database }) => {
    const session = await start(database.db, await addCustomer(database.db));
    await transact(database.db, async (trx) => {
      for (const [index, content] of ["", " ", "\n\t", " heard "].entries()) {
        await addTurn(trx, session, turn(`item-${index}`, content, true));
      }
    });
    await end(database.db, session);
    await settle(database.db, session, { status: "error", reason: "model_output" });
    expect((await exportRow(database, session.id))?.["transcript"]).toBe(
      '[{"role":"user","content":" heard ","interrupted":true}]',
    );
  });

  databaseTest("of the agent may follow each other, and stay apart", async ({ database }) => {
    const session = await start(database.db, await addCustomer(database.db));
    await say(database.db, session, [
      { role: "assistant", content: "Let me look." },
      { role: "assistant", content: "It costs little." },
      { role: "user", content: "Good." },
    ]);
    await end(database.db, session);
    await settle(database.db, session, { status: "error", reason: "model_output" });
    const transcript = (await exportRow(database, session.id))?.["transcript"] as string;
    expect(JSON.parse(transcript)).toEqual([
      { role: "assistant", content: "Let me look." },
      { role: "assistant", content: "It costs little." },
      { role: "user", content: "Good." },
    ]);
  });

  databaseTest(
    "are the visitor's or the agent's: no other role is stored",
    async ({ database }) => {
      const session = await start(database.db, await addCustomer(database.db));
      for (const role of ["system", "tool", ""]) {
        const other = { ...turn("item-1", "Be kind."), role: role as "user" };
        await expect(transact(database.db, (trx) => addTurn(trx, session, other))).rejects.toThrow(
          "turns_role_check",
        );
      }
    },
  );

  // S1
  databaseTest("keep their text, less NUL and lone surrogates", async ({ database }) => {
    const session = await start(database.db, await addCustomer(database.db));
    await transact(database.db, (trx) =>
      addTurn(trx, session, turn("item-1", "a\0b\uD800c\u202E👩‍👧\uFFFF")),
    );
    await end(database.db, session);
    await settle(database.db, session, { status: "error", reason: "model_output" });
    const transcript = (await exportRow(database, session.id))?.["transcript"] as string;
    expect(JSON.parse(transcript)).toEqual([
      { role: "user", content: "a\uFFFDb\uFFFDc\u202E👩‍👧\uFFFF" },
    ]);
  });
});

describe("the length of a conversation", () => {
  databaseTest.for([
    { what: "first turn to the visitor's last one", roles: "aua", seen: undefined, secs: 1 },
    {
      what: "to the last sign of the visitor, in whole seconds",
      roles: "aua",
      seen: 9_999,
      secs: 9,
    },
    { what: "never negative", roles: "au", seen: -5_000, secs: 0 },
    { what: "not known when nobody said anything", roles: "", seen: 9_000, secs: null },
    { what: "not known without a sign of the visitor", roles: "aa", seen: undefined, secs: null },
  ])("is counted: $what", async ({ roles, seen, secs }, { database }) => {
    const session = await start(database.db, await addCustomer(database.db));
    await say(
      database.db,
      session,
      Array.from(roles).map((role) => ({
        role: role === "a" ? "assistant" : "user",
        content: "…",
      })),
    );
    const lastSeen =
      seen === undefined ? {} : { visitorLastSeenAt: new Date(session.createdAt.getTime() + seen) };
    await transact(database.db, (trx) =>
      endSession(trx, jobSenderOf(database.db), session.id, {
        reason: "visitor_gone",
        ...lastSeen,
      }),
    );
    expect(await sessionRow(database, session.id)).toMatchObject({
      duration_secs: secs,
      end_reason: "visitor_gone",
    });
  });
});
