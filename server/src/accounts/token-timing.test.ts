import { createHash } from "node:crypto";
import { hashToken, newToken, systemClock } from "#platform";
import type { Db } from "#platform";
import { DummyDriver, Kysely, PostgresAdapter, PostgresQueryCompiler } from "kysely";
import type { CompiledQuery, DatabaseConnection, Dialect } from "kysely";
import { expect, it } from "vitest";
import { createAuthenticator } from "./authenticate.ts";

const REAL = newToken("aa");

/** A well-formed token that differs from the real one in its last random character alone. */
function nearToken(letter: string): string {
  const body = REAL.slice(0, -7) + letter;
  const sum = createHash("sha256").update(body).digest().readUInt32BE(0);
  let [rest, checksum] = [sum, ""];
  for (let i = 0; i < 6; i++, rest = Math.floor(rest / 62)) checksum = DIGITS[rest % 62] + checksum;
  return body + checksum;
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A table of tokens in memory: what PostgreSQL takes would hide microseconds. */
function tokenTable(onLookUp: (hash: Buffer) => void): Db {
  const stored = { tokenId: 1, hash: hashToken(REAL), id: 1, clientId: "client_a", name: "Acme" };
  const connection: DatabaseConnection = {
    executeQuery: async <Row>({ parameters }: CompiledQuery) => {
      const hash = parameters[0] as Buffer;
      onLookUp(hash);
      return { rows: (hash.equals(stored.hash) ? [stored] : []) as Row[] };
    },
    // oxlint-disable-next-line require-yield -- nothing is streamed
    streamQuery: async function* () {
      throw new Error("not used");
    },
  };
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () =>
      Object.assign(new DummyDriver(), { acquireConnection: async () => connection }),
    createIntrospector: () => {
      throw new Error("not used");
    },
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  return new Kysely({ dialect });
}

/**
 * How many microseconds the check of a token that is nearly right takes longer than that of any other
 * wrong one: the difference of the medians, of checks that take turns, so that whatever else the
 * machine does meets both alike.
 */
async function differenceUs(db: Db, near: readonly string[]): Promise<number> {
  const authenticator = createAuthenticator(db, systemClock);
  const took: [number[], number[]] = [[], []];
  for (let i = 0; i < PAIRS * 2; i++) {
    // In the order A B B A, so that neither always comes after the other.
    const isNear = i % 4 === 0 || i % 4 === 3;
    const token = isNear ? near[i % near.length]! : newToken("aa");
    const from = process.hrtime.bigint();
    const caller = await authenticator.authenticate(`Bearer ${token}`);
    const ns = Number(process.hrtime.bigint() - from);
    expect(caller).toBeUndefined();
    if (i > WARM_UP) took[isNear ? 1 : 0].push(ns / 1_000);
  }
  const [others, nearly] = took.map((one) => one.toSorted((a, b) => a - b)[one.length >> 1]!);
  return nearly! - others!;
}

const PAIRS = 6_000;
const WARM_UP = 2_000;
const PLANTED_US = 20;

// A2
it(
  "a token that is nearly right is refused in the time of any other; 20 µs planted are noticed",
  { timeout: 60_000 },
  async () => {
    const last = REAL.at(-7)!;
    const near = DIGITS.split("")
      .filter((letter) => letter !== last)
      .map(nearToken);
    const nearHashes = new Set(near.map((token) => hashToken(token).toString("hex")));
    const real = createAuthenticator(
      tokenTable(() => {}),
      systemClock,
    );
    expect(await real.authenticate(`Bearer ${REAL}`)).toMatchObject({ tokenId: 1 });

    let lookedUp = 0;
    const honest = await differenceUs(
      tokenTable((hash) => void (nearHashes.has(hash.toString("hex")) && lookedUp++)),
      near,
    );
    // Otherwise the checksum had refused them, and nothing had been compared.
    expect(lookedUp).toBe(PAIRS);
    const leaking = await differenceUs(
      tokenTable((hash) => {
        const untilNs = process.hrtime.bigint() + BigInt(PLANTED_US * 1_000);
        if (nearHashes.has(hash.toString("hex"))) while (process.hrtime.bigint() < untilNs);
      }),
      near,
    );
    expect(Math.abs(honest)).toBeLessThan(PLANTED_US / 2);
    expect(leaking).toBeGreaterThan(PLANTED_US / 2);
  },
);
