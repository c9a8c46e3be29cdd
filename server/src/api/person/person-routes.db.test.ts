import { createHash } from "node:crypto";
import { plainConfig } from "#agents";
import { createAddressMarks, createPersonLinks, isSuppressed } from "#followup";
import { AppError, MailError, secretKeys } from "#platform";
import type { MailMessage } from "#platform";
import { createRights } from "#rights";
import type { Rights } from "#rights";
import {
  addCustomer,
  captureLog,
  createFakeClock,
  playSession,
  sessionRow,
  TEST_SECRET_KEYS,
} from "#testing";
import type { CapturedLog, Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { describe, expect, vi } from "vitest";
import { createApiUnderTest } from "../api-under-test.ts";

const ADA = "ada@example.com";
// With the longest id that a key may have: the links must still be short enough to be routed.
const keys = secretKeys().parse(TEST_SECRET_KEYS.replace(/^\w+/, "k".repeat(16)));
// Beside a path of its own, as behind a proxy: the pages' links must still lead to one another.
const links = createPersonLinks({ secretKeys: keys, publicUrl: "" });
const marks = createAddressMarks(keys);

interface Visitor {
  app: FastifyInstance;
  customer: Customer;
  sessionId: string;
  /** `/you/…` */
  rights: string;
  unsubscribe: string;
  mails: MailMessage[];
  log: CapturedLog;
  send(method: "GET" | "POST", url: string, body?: string): Promise<LightMyRequestResponse>;
}

async function visit(
  { db, pool }: TestDatabase,
  options: {
    language?: string;
    mail?: (message: MailMessage) => Promise<void>;
    rights?: Partial<Rights>;
  } = {},
): Promise<Visitor> {
  const customer = await addCustomer(db, {
    agent: { name: "Mira", brand: { ...plainConfig("Mira").brand, name: "Rostera & Söhne" } },
  });
  const { id } = await playSession(db, customer, {
    metadata: { email: ADA, plan: "<b>team</b>" },
    turns: [
      { role: "assistant", content: "Rostera sends each of them", interrupted: true },
      { role: "user", content: "<script>alert(1)</script>" },
    ],
  });
  await pool.query("UPDATE sessions SET language = $1", [options.language ?? "en"]);
  const mails: MailMessage[] = [];
  const log = captureLog();
  const app = createApiUnderTest({
    log: log.log,
    person: {
      db,
      links,
      marks,
      rights: { ...createRights({ db, log: log.log }), ...options.rights },
      mail: { send: options.mail ?? (async (message) => void mails.push(message)) },
      clock: createFakeClock(),
    },
  });
  return {
    app,
    customer,
    sessionId: id,
    rights: links.rights(id),
    unsubscribe: links.unsubscribe({
      sessionId: id,
      accountId: customer.account.id,
      mark: marks.marks(ADA)[0],
    }),
    mails,
    log,
    send: (method, url, payload) =>
      app.inject({
        method,
        url,
        ...(payload !== undefined && {
          payload,
          headers: { "content-type": "application/x-www-form-urlencoded" },
        }),
      }),
  };
}

async function addMail(
  { pool }: TestDatabase,
  sessionId: string,
  needsConfirmation: boolean,
): Promise<void> {
  await pool.query(
    `INSERT INTO follow_ups (session_id, account_id, address_mark, state, due_at, give_up_at, created_at, finished_at, needs_confirmation)
     SELECT id, account_id, sha256('x'), 'sent', now(), now(), now(), now(), $2 FROM sessions WHERE id = $1
     ON CONFLICT (session_id) DO UPDATE SET needs_confirmation = $2`,
    [sessionId, needsConfirmation],
  );
}

describe("the rights page", () => {
  databaseTest(
    "shows the conversation as it was heard, and what else is kept",
    async ({ database }) => {
      const { send, rights } = await visit(database);
      const { statusCode, body } = await send("GET", rights);
      expect(statusCode).toBe(200);
      expect(body).toContain("Rostera sends each of them —");
      expect(body).toContain(ADA);
      expect(body).toContain("plan: &#60;b&#62;team&#60;/b&#62;");
      expect(body).toContain("They need a demo.");
      expect(body).toMatch(/Kept until<\/dt>\s*<dd>\d+ \w+ 20\d\d\./);
    },
  );

  // S5
  databaseTest("runs no script, loads nothing, and is kept by nobody", async ({ database }) => {
    const { send, rights } = await visit(database);
    const { headers, body } = await send("GET", rights);
    expect(body).not.toMatch(/<script|<img|<link|<iframe|\son\w+=|style=/i);
    const style = /<style>([^]*?)<\/style>/.exec(body)![1]!;
    const hash = createHash("sha256").update(style).digest("base64");
    expect(headers["content-security-policy"]).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow",
    });
  });

  databaseTest.for([
    ["de-AT", "Ihr Gespräch mit Rostera"],
    ["fr", "Votre conversation avec Rostera"],
    ["es-MX", "Su conversación con Rostera"],
    ["it", "Your conversation with Rostera"],
  ])("speaks the visitor's language: %s", async ([language, title], { database }) => {
    const { send, rights } = await visit(database, { language: language! });
    expect((await send("GET", rights)).body).toContain(title);
  });

  databaseTest("shows what was said only once the reader confirmed", async ({ database }) => {
    const { send, rights, sessionId } = await visit(database);
    const confirm = links.confirm(sessionId);
    const readsIt = async (): Promise<boolean[]> => {
      const page = await send("GET", rights);
      const file = await send("GET", `${rights}/conversation.json`);
      expect(page.body).toContain("Delete this conversation");
      return [page.body, file.body].map((body) => /Rostera sends|They need|team/.test(body));
    };
    // A mail of before this release, which had no second link.
    await addMail(database, sessionId, false);
    expect(await readsIt()).toEqual([true, true]);
    await addMail(database, sessionId, true);
    expect(await readsIt()).toEqual([false, false]);
    // Opened by a program that follows every link.
    const { body } = await send("GET", confirm);
    expect(body).toContain("Yes, it was me");
    expect(body).not.toMatch(/Rostera sends|They need|team/);
    expect(await readsIt()).toEqual([false, false]);
    expect((await send("GET", confirm.replace("/confirm", ""))).statusCode).toBe(404);
    expect((await send("POST", rights.replace("/you/", "/you/confirm/"))).statusCode).toBe(404);
    expect(await send("POST", confirm)).toMatchObject({
      statusCode: 303,
      headers: { location: rights },
    });
    expect(await readsIt()).toEqual([true, true]);
  });

  databaseTest("hands out a file with the names of the export", async ({ database }) => {
    const { send, rights } = await visit(database);
    const answer = await send("GET", `${rights}/conversation.json`);
    expect(answer.headers["content-disposition"]).toMatch(
      /^attachment; filename="conversation-[\d-]{10}\.json"$/,
    );
    expect(answer.json()).toMatchObject({
      brand: "Rostera & Söhne",
      email: ADA,
      metadata: { plan: "<b>team</b>" },
      transcript: [
        { role: "assistant", content: "Rostera sends each of them", interrupted: true },
        { role: "user", content: "<script>alert(1)</script>" },
      ],
    });
  });
});

// G1
describe("deleting", () => {
  databaseTest(
    "is asked once more, then done, shown and confirmed by mail",
    async ({ database }) => {
      const { send, rights, mails, sessionId } = await visit(database);
      const question = await send("GET", `${rights}/delete?what=conversation`);
      expect(question.body).toContain("Delete this conversation?");
      expect(await sessionRow(database, sessionId)).toBeDefined();

      const answer = await send("POST", `${rights}/delete`, "what=conversation");
      expect(answer.statusCode).toBe(200);
      const { rows } = await database.pool.query<{ id: string }>("SELECT id, scope FROM erasures");
      expect(rows).toMatchObject([{ scope: "session" }]);
      expect(answer.body).toContain(rows[0]!.id);
      expect(mails).toMatchObject([
        { to: ADA, subject: "Deleted: your conversation with Rostera & Söhne" },
      ]);
      expect(mails[0]!.text).toContain(rows[0]!.id);
      expect(await database.pool.query("SELECT FROM sessions")).toMatchObject({ rowCount: 0 });
      expect((await send("GET", rights)).statusCode).toBe(404);
      expect((await send("POST", `${rights}/delete`, "what=conversation")).statusCode).toBe(404);
      expect(mails).toHaveLength(1);
    },
  );

  databaseTest(
    "takes all of that address with that brand, and nobody else's",
    async ({ database }) => {
      const { db, pool } = database;
      const { send, rights, customer } = await visit(database);
      await playSession(db, customer, { metadata: { email: ADA } });
      const bob = await playSession(db, customer, { metadata: { email: "bob@example.com" } });
      const elsewhere = await playSession(db, await addCustomer(db), { metadata: { email: ADA } });

      const question = await send("GET", `${rights}/delete?what=everything`);
      expect(question.body).toContain("Delete everything at Rostera &#38; Söhne?");
      expect(question.body).toContain(ADA);
      const answer = await send("POST", `${rights}/delete`, "what=everything");
      expect(answer.statusCode).toBe(200);
      const { rows } = await pool.query<{ id: string }>("SELECT id FROM sessions");
      expect(rows.map(({ id }) => id).toSorted()).toEqual([bob.id, elsewhere.id].toSorted());
    },
  );

  databaseTest("needs to be told what", async ({ database }) => {
    const { send, rights } = await visit(database);
    const token = rights.slice("/you/".length);
    for (const body of ["", "what=", "what=all", "what=conversation&what=x", "x".repeat(4_000)]) {
      const answer = await send("POST", `${rights}/delete`, body);
      expect([answer.statusCode, answer.headers["location"]]).toEqual([303, `../${token}`]);
    }
    expect((await send("GET", `${rights}/delete`)).statusCode).toBe(303);
    expect(await database.pool.query("SELECT FROM sessions")).toMatchObject({ rowCount: 1 });
  });

  databaseTest(
    "is done even where no mail can confirm it, and no log names them",
    async ({ database }) => {
      const mail = vi
        .fn<(message: MailMessage) => Promise<void>>()
        .mockRejectedValue(new MailError("later", "the mail server did not answer"));
      const { send, rights, log } = await visit(database, { mail });
      expect((await send("POST", `${rights}/delete`, "what=everything")).statusCode).toBe(200);
      await vi.waitFor(() => expect(log.text()).toContain("the notice of a deletion was not sent"));
      expect(log.text()).not.toContain(ADA);
      expect(log.text()).not.toContain(rights);
    },
  );
});

// D9
describe("unsubscribing", () => {
  databaseTest(
    "needs the button, since programs open links by themselves",
    async ({ database }) => {
      const { send, unsubscribe, customer } = await visit(database);
      const recipient = { accountId: customer.account.id, marks: marks.marks(ADA) };
      expect((await send("GET", unsubscribe)).body).toContain("Stop these mails");
      expect(await isSuppressed(database.db, recipient)).toBe(false);
      expect((await send("POST", unsubscribe, "")).body).toContain("no more of these mails");
      expect(await isSuppressed(database.db, recipient)).toBe(true);
    },
  );

  databaseTest(
    "goes by the newest key while the address is known, not by the link's",
    async ({ database }) => {
      const { send, sessionId, customer } = await visit(database);
      const accountId = customer.account.id;
      const mark = Buffer.alloc(32, "of an older key");
      await send("POST", links.unsubscribe({ sessionId, accountId, mark }), "");
      const recipient = { accountId, marks: marks.marks(ADA) };
      expect(await isSuppressed(database.db, recipient)).toBe(true);
    },
  );

  databaseTest(
    "takes one click of a mail program, as either kind of form, and again",
    async ({ database }) => {
      const { app, unsubscribe, customer } = await visit(database);
      const oneClick = async (type: string, payload: string): Promise<number> => {
        const headers = { "content-type": type };
        return (await app.inject({ method: "POST", url: unsubscribe, headers, payload }))
          .statusCode;
      };
      const plain = "List-Unsubscribe=One-Click";
      expect(await oneClick("application/x-www-form-urlencoded", plain)).toBe(200);
      expect(
        await oneClick(
          "multipart/form-data; boundary=b",
          '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
        ),
      ).toBe(200);
      const recipient = { accountId: customer.account.id, marks: marks.marks(ADA) };
      expect(await isSuppressed(database.db, recipient)).toBe(true);
    },
  );
});

// D9
databaseTest.for(["en", "de", "fr", "es"])(
  "unsubscribing outlives the conversation: %s",
  async (language, { database }) => {
    const { app, send, rights, unsubscribe, customer } = await visit(database);
    await send("POST", `${rights}/delete`, "what=everything");
    const headers = { "accept-language": language };
    const page = await app.inject({ url: unsubscribe, headers });
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toContain(ADA);
    expect(page.body).not.toContain("undefined");
    const done = await app.inject({ method: "POST", url: unsubscribe, headers });
    expect(done.statusCode).toBe(200);
    const recipient = { accountId: customer.account.id, marks: marks.marks(ADA) };
    expect(await isSuppressed(database.db, recipient)).toBe(true);
  },
);

describe("a link", () => {
  databaseTest(
    "that is wrong, for something else, or to what is gone, leads to the same page",
    async ({ database }) => {
      const { app, send, rights, unsubscribe } = await visit(database);
      const never = links.rights("00000000-0000-7000-8000-000000000000");
      const dead = [
        `${rights.slice(0, -1)}${rights.endsWith("A") ? "Q" : "A"}`,
        rights.slice(0, 40),
        unsubscribe.replace("/unsubscribe", ""),
        rights.replace("/you/", "/you/unsubscribe/"),
        `${rights}/more`,
        "/you/",
        "/you/%00",
        `/you/${"x".repeat(90)}`,
        never,
      ];
      const answers = await Promise.all(dead.map((url) => send("GET", url)));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(dead.map(() => 404));
      expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
      expect(answers[0]!.body).toContain("This link leads nowhere");
      const german = await app.inject({
        url: never,
        headers: { "accept-language": "pt, de-CH;q=0.8, en;q=0.5" },
      });
      expect(german.body).toContain("Dieser Link führt nirgendwohin");
    },
  );

  databaseTest("that is opened without end is slowed down", async ({ database }) => {
    const { send, rights } = await visit(database);
    const statuses = new Set<number>();
    for (let count = 0; count < 40; count++) statuses.add((await send("GET", rights)).statusCode);
    expect([...statuses]).toEqual([200, 429]);
  });

  // P1
  databaseTest.for([
    [new AppError("unavailable", { what: "Away.", why: "It is.", fix: "Wait." }), 503],
    [new Error(`about ${ADA}`), 500],
  ] as const)("says so when we are in trouble: %s", async ([error, status], { database }) => {
    const rights = { readOwn: async () => Promise.reject(error) };
    const { send, rights: url } = await visit(database, { rights });
    const answer = await send("GET", url);
    expect(answer.statusCode).toBe(status);
    expect(answer.body).toContain("This page cannot be shown right now");
    expect(answer.body).not.toContain(ADA);
  });
});
