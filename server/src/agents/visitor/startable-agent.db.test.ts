import { createHash } from "node:crypto";
import { changeSettings, DEFAULT_LIMITS } from "#accounts";
import { transact } from "#platform";
import { addCustomer } from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import type { AgentConfig } from "../config/agent-config.ts";
import type { FileWithBytes } from "../file/load-files.ts";
import { plainConfig } from "../file/resolve-config.ts";
import { addAgentVersion } from "../versions/agent.ts";
import { findShownFile, findStartableAgent, readShownFile } from "./startable-agent.ts";

describe("the agent that a page names", () => {
  databaseTest(
    "is found by its id, in its newest version, with the account's limits",
    async ({ database: { db } }) => {
      const { account, agent } = await addCustomer(db);
      await transact(db, async (trx) => {
        await addAgentVersion(trx, "ada", account.id, agent.agentId, plainConfig("Second"));
        await changeSettings(trx, "ada", account.id, {
          limits: { at_once_per_agent: 3, at_once_per_address: "none" },
        });
      });
      expect(await findStartableAgent(db, agent.agentId)).toEqual({
        agentId: agent.agentId,
        accountId: account.id,
        version: 2,
        state: "live",
        config: plainConfig("Second"),
        accountLimits: { ...DEFAULT_LIMITS, at_once_per_agent: 3, at_once_per_address: null },
      });
    },
  );

  databaseTest(
    "is the account's default agent behind a client id",
    async ({ database: { db } }) => {
      const { account, agent } = await addCustomer(db);
      expect(await findStartableAgent(db, account.clientId)).toBeUndefined();
      await transact(db, (trx) =>
        changeSettings(trx, "ada", account.id, { defaultAgentId: agent.agentId }),
      );
      expect(await findStartableAgent(db, account.clientId)).toMatchObject(agent);
    },
  );

  // A11
  databaseTest("is nobody under a name that nobody has", async ({ database: { db } }) => {
    for (const name of ["", "agent_", "agent_aa", "client_aa", "\0", "none", "agent_\u{1F600}"])
      expect(await findStartableAgent(db, name)).toBeUndefined();
  });
});

function file(path: string, text: string, mediaType: string): FileWithBytes {
  const bytes = Buffer.from(text);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { path, sha256, size: bytes.length, mediaType, bytes };
}

const LOGO = file("logo.svg", "<svg/>", "image/svg+xml");
const TABLE = file("plans.csv", "a,b", "text/csv");
const TRANSLATED = file("plans.ja.csv", "あ,い", "text/csv");
const WORDS = file("languages/it.yaml", "{}", "application/json");
const FACE = file("face.png", "png", "image/png");
const LOOP = file("face.mp4", "mp4", "video/mp4");
const SECRET = file("knowledge/pricing.md", "# Prices", "text/markdown");
const stored = ({ path, sha256, size, mediaType }: FileWithBytes) => ({
  path,
  sha256,
  size,
  mediaType,
});

async function write(
  { db }: TestDatabase,
  { account, agent }: Customer,
  config: Partial<AgentConfig>,
  files: FileWithBytes[],
): Promise<void> {
  await transact(db, (trx) =>
    addAgentVersion(
      trx,
      "ada",
      account.id,
      agent.agentId,
      { ...plainConfig("Guide"), ...config },
      files,
    ),
  );
}

const shows: Partial<AgentConfig> = {
  languages: [{ code: "en" }, { code: "it", wordsFile: stored(WORDS) }],
  brand: { name: "Svc", logo: stored(LOGO) },
  avatar: { poster: stored(FACE), loop: stored(LOOP) },
  content: [
    {
      id: "plans",
      title: "Plans",
      kind: "table",
      file: stored(TABLE),
      languages: [
        { code: "it", title: "Piani" },
        { code: "ja", file: stored(TRANSLATED) },
      ],
    },
    { id: "tour", title: "Tour", kind: "image", link: "https://example.com/tour.png" },
  ],
  knowledge: [stored(SECRET)],
};

describe("a file of an agent", () => {
  databaseTest(
    "is found when some version shows it, by agent and by client id",
    async ({ database }) => {
      const { db } = database;
      const customer = await addCustomer(db);
      const { agentId } = customer.agent;
      await write(database, customer, shows, [LOGO, TABLE, TRANSLATED, WORDS, FACE, LOOP, SECRET]);
      await write(database, customer, {}, []);
      await transact(db, (trx) =>
        changeSettings(trx, "ada", customer.account.id, { defaultAgentId: agentId }),
      );
      for (const named of [agentId, customer.account.clientId]) {
        for (const one of [LOGO, TABLE, TRANSLATED, WORDS, FACE, LOOP]) {
          const found = await findShownFile(db, named, one.sha256);
          expect(found).toEqual(stored(one));
          expect(await readShownFile(db, found!)).toEqual(one.bytes);
        }
      }
    },
  );

  databaseTest(
    "is not found when it is knowledge, another agent's, or no file at all",
    async ({ database }) => {
      const { db } = database;
      const [one, other] = [await addCustomer(db), await addCustomer(db)];
      await write(database, one, shows, [LOGO, TABLE, FACE, LOOP, SECRET]);
      const { agentId } = one.agent;
      expect(await findShownFile(db, agentId, SECRET.sha256)).toBeUndefined();
      expect(await findShownFile(db, other.agent.agentId, LOGO.sha256)).toBeUndefined();
      expect(await findShownFile(db, one.account.clientId, LOGO.sha256)).toBeUndefined();
      for (const sha256 of ["", "00", "\0", LOGO.sha256.toUpperCase(), "0".repeat(64)])
        expect(await findShownFile(db, agentId, sha256)).toBeUndefined();
      // Shown by a later version, the same bytes are for visitors.
      const content = [
        {
          id: "a",
          title: "A",
          kind: "markdown" as const,
          file: { ...stored(SECRET), path: "a.md" },
        },
      ];
      await write(database, one, { content }, [{ ...SECRET, path: "a.md" }]);
      expect(await findShownFile(db, agentId, SECRET.sha256)).toMatchObject({ path: "a.md" });
    },
  );
});
