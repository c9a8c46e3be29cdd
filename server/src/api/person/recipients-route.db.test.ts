import { createHash, randomUUID } from "node:crypto";
import { changeSettings } from "#accounts";
import { plainConfig } from "#agents";
import type { AgentConfig } from "#agents";
import { createPersonLinks, createAddressMarks } from "#followup";
import { createLogMail, createSecrets, reportServices, secretKeys, transact } from "#platform";
import type { PartServices, ServiceNames } from "#platform";
import { createRights } from "#rights";
import {
  addCustomer,
  announceLive,
  captureLog,
  createFakeClock,
  sessionRow,
  TEST_SECRET_KEYS,
} from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { addEndpoint } from "#webhooks";
import type { FastifyInstance } from "fastify";
import { expect } from "vitest";
import { createApiUnderTest, sdkOver } from "../api-under-test.ts";

const keys = secretKeys().parse(TEST_SECRET_KEYS);

const LIVE: PartServices["live"] = [
  { purpose: "answers", name: "OpenAI", host: "api.openai.com", days: 30 },
  { purpose: "answers", name: "OpenAI", host: "api.openai.com", days: 30 },
  { purpose: "hearing", name: "Deepgram", host: "api.deepgram.com", days: 0 },
  { purpose: "voice" },
  { purpose: "search", host: "embed.example.net" },
];
const PIPELINE: PartServices["pipeline"] = [
  { purpose: "assessment", name: "OpenAI", host: "api.openai.com", days: 30 },
  { purpose: "mail", host: "mail.example.org" },
];

async function open(
  { db }: TestDatabase,
  agent: Partial<AgentConfig> = {},
): Promise<{ customer: Customer; read: Reader; app: () => FastifyInstance }> {
  await announceLive(db);
  const brand = { ...plainConfig("Mira").brand, name: "Rostera <b>& Söhne" };
  const customer = await addCustomer(db, {
    agent: { brand, modes: ["voice", "text"], followUp: true, ...agent },
  });
  // Each look with fresh eyes: a list is remembered for some seconds.
  const app = (names?: ServiceNames): FastifyInstance => {
    const { log } = captureLog();
    return createApiUnderTest({
      sdk: sdkOver(db, names),
      person: {
        db,
        links: createPersonLinks({ secretKeys: keys, publicUrl: "" }),
        marks: createAddressMarks(keys),
        rights: createRights({ db, log }),
        mail: createLogMail(log),
        clock: createFakeClock(),
      },
    });
  };
  const read: Reader = async (query = "?language=en", names) => {
    const url = `/who-hears-you/${customer.agent.agentId}${query}`;
    const { statusCode, body } = await app(names).inject(url);
    return { statusCode, body, text: body.replaceAll(/<[^>]*>|\s+/g, " ").replaceAll(/ +/g, " ") };
  };
  return { customer, read, app };
}

type Reader = (
  query?: string,
  names?: ServiceNames,
) => Promise<{ statusCode: number; body: string; text: string }>;

databaseTest(
  "names everybody who gets something, once, with what and until when",
  async ({ database }) => {
    const { customer, read } = await open(database);
    const { db } = database;
    await reportServices(db, { live: LIVE, pipeline: PIPELINE });
    const before = await read();
    expect(before.statusCode).toBe(200);
    expect(before.body).toContain("Rostera &#60;b&#62;&#38; S\u00f6hne");
    expect(before.text).toContain("Days until it is deleted: 365");
    expect(before.text).toContain("api.example.com Runs the conversation");
    expect(before.text).toMatch(/own machines: Voice: gets the answers/);
    expect(before.text).toMatch(/OpenAI api\.openai\.com Answers: .* Assessment: .* deleted: 30 /);
    expect(before.text.split("OpenAI")).toHaveLength(2);
    expect(before.text).toMatch(
      /Deepgram api\.deepgram\.com Speech recognition: .* Nothing of that is kept/,
    );
    // Not of this agent: its knowledge fits into a prompt, and its account sends no mail.
    expect(before.text).not.toContain("embed.example.net");
    expect(before.text).not.toContain("mail.example.org");

    await transact(db, async (trx) => {
      const { id: accountId } = customer.account;
      await changeSettings(trx, "test", accountId, { followUp: true, retentionDays: 30 });
      const rules = { allowPlainHttp: true, allowPrivate: true };
      for (const url of ["https://hooks.crm.example/in?token=planted", "http://10.0.0.7/planted"])
        await addEndpoint(trx, "test", "aa", createSecrets(keys), {
          accountId,
          url,
          agentIds: null,
          replayExhausted: false,
          rules,
        });
    });
    const after = await read();
    expect(after.text).toContain("Days until it is deleted: 30 ");
    expect(after.text).toMatch(/mail\.example\.org Mail: gets your address/);
    expect(after.text).toMatch(/hooks\.crm\.example Records of Rostera/);
    expect(after.body).not.toMatch(/planted|10\.0\.0\.7/);
  },
);

databaseTest("names no speech to visitors who can only type", async ({ database }) => {
  const { read } = await open(database, { modes: ["text"] });
  await reportServices(database.db, { live: LIVE, pipeline: PIPELINE });
  expect((await read()).text).not.toMatch(/Deepgram|Speech recognition|Voice:/);
});

databaseTest(
  "follows the processes: all while they run, the last of them when none runs",
  async ({ database }) => {
    const { read } = await open(database);
    const { db, pool } = database;
    const silence = (secs: number) =>
      pool.query("UPDATE services_in_use SET used_at = used_at - make_interval(secs => $1)", [
        secs,
      ]);
    const next = {
      live: [{ purpose: "answers" as const, name: "Mistral AI", host: "api.mistral.ai" }],
    };
    await reportServices(db, { live: LIVE });
    // Nobody knows yet who evaluates: nothing is better than a part.
    expect(await read()).toMatchObject({ statusCode: 503 });
    await reportServices(db, { pipeline: PIPELINE });
    await reportServices(db, next);
    expect((await read()).text).toMatch(/Mistral AI.*OpenAI|OpenAI.*Mistral AI/);
    await silence(60);
    await reportServices(db, next);
    const only = (await read()).text;
    expect(only).toContain("Mistral AI");
    expect(only).not.toContain("Deepgram");
    await silence(86_400);
    expect((await read()).text).toBe(only);
  },
);

databaseTest(
  "is in the language of the call, with the operator's own names",
  async ({ database }) => {
    const { read } = await open(database, {
      brand: { name: "Acme", privacy: "https://acme.example/p?a=1&b=2" },
    });
    await reportServices(database.db, { live: LIVE, pipeline: PIPELINE });
    const names = new Map([["api.example.com", { name: "Talk Ltd, Cork" }]]);
    const { body, text } = await read("?language=de-AT", names);
    expect(body).toContain('<html lang="de"');
    expect(text).toContain("Talk Ltd, Cork F\u00fchrt das Gespr\u00e4ch f\u00fcr Acme durch");
    expect(text).not.toContain("api.example.com");
    expect(body).toContain('href="https://acme.example/p?a=1&#38;b=2"');
    expect((await read("?language=fr")).text).toContain("Qui vous entend");
    expect((await read("?language=%3Cscript%3E")).body).not.toContain("<script>");
  },
);

// G3
databaseTest(
  "stays readable in the version that was valid when a visitor started",
  async ({ database }) => {
    const { customer, read, app } = await open(database);
    const { db, pool } = database;
    const start = async (): Promise<Buffer> => {
      const answer = await app().inject({
        method: "POST",
        url: "/sdk/v1/sessions",
        payload: {
          agent_id: customer.agent.agentId,
          start_key: randomUUID(),
          mode: "text",
          language: "en",
          metadata: { email: "ada@example.com" },
          page: "https://www.example.com/",
          notice: { text: "An AI.", language: "en", accepted_at: "2026-01-02T03:04:05Z" },
        },
      });
      const row = await sessionRow(database, answer.json().session_id);
      return row["recipients_sha256"] as Buffer;
    };
    // Before any process has said what it uses, a start is not refused for it.
    expect(await start()).toBeNull();
    await reportServices(db, { live: LIVE, pipeline: PIPELINE });
    const first = await start();
    expect(await start()).toEqual(first);
    const shown = await read();
    await reportServices(db, { live: [{ purpose: "answers", host: "other.example.net" }] });
    const second = await start();
    expect(second).not.toEqual(first);
    expect((await read()).text).toContain("other.example.net");

    const { rows } = await pool.query("SELECT sha256, list::text AS list FROM recipient_lists");
    for (const { sha256, list } of rows as { sha256: Buffer; list: string }[])
      expect(createHash("sha256").update(list).digest()).toEqual(sha256);
    const version = first.toString("hex");
    expect((await read(`?version=${version}&language=en`)).body).toBe(shown.body);
    expect(shown.text).toContain(`Version ${version.slice(0, 12)}`);
    for (const unknown of ["00".repeat(32), "x", "", "a&version=b"])
      expect(await read(`?version=${unknown}`)).toMatchObject({ statusCode: 404 });
    // Under another agent's address it would be taken for that one's.
    const other = await addCustomer(db);
    const elsewhere = `/who-hears-you/${other.agent.agentId}?version=${version}`;
    expect(await app().inject(elsewhere)).toMatchObject({ statusCode: 404 });
  },
);

databaseTest("is not there for an agent that is not there", async ({ database }) => {
  const { app } = await open(database);
  const { statusCode, headers } = await app().inject("/who-hears-you/agent_nobody");
  expect(statusCode).toBe(404);
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
});
