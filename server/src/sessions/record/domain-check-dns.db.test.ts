import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import {
  addCustomer,
  addReceiver,
  end,
  say,
  start,
  startEventReceiver,
  startOutsideWorld,
  startScriptedDns,
  startServerProcess,
} from "#testing";
import type { Customer, DnsAnswer, DnsQuestion, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import type { Session } from "@svc/contract/types";
import { describe, expect, it, onTestFinished, vi } from "vitest";

/** What name servers say of each name, by the type that is asked for. */
type Zone = Record<string, Partial<Record<DnsQuestion["type"], Said>>>;
type Said = DnsAnswer | ((question: DnsQuestion) => DnsAnswer);

const A = ["9.9.9.9"];
const AAAA = ["2620:fe::fe"];
const MANY = Array.from({ length: 60 }, (_, index) => `${index} mx${index}.a-long-name.test`);

const itself = (records: Zone[string]) => (domain: string) => ({ [domain]: records });
/** A domain that names this one exchange, which has these addresses. */
const exchangeAt =
  (addresses: Zone[string]) =>
  (domain: string): Zone => ({
    [domain]: { MX: [`10 mx.${domain}`] },
    [`mx.${domain}`]: addresses,
  });
/** By UDP an answer that does not fit, by TCP this one. */
const byTcp = (answer: DnsAnswer) =>
  itself({ MX: ({ by }) => (by === "udp" ? "truncated" : answer) });

/** Fails every question within the first two seconds, and answers from then on. */
function failsAtFirst(domain: string): Zone {
  let firstAskedAt: number | undefined;
  const MX = (): DnsAnswer => {
    firstAskedAt ??= performance.now();
    return performance.now() < firstAskedAt + 2_000 ? "servfail" : [`10 mx.${domain}`];
  };
  return { ...exchangeAt({ A })(domain), [domain]: { MX } };
}

/** What is so of a domain, its zone, and `email_verified` of an address there: undefined if the key must be absent. */
type DomainCase = [what: string, zone: (domain: string) => Zone, verified: boolean | undefined];

const RECOVERS: DomainCase = ["SERVFAIL at first", failsAtFirst, true];
/** Those that say the same however often and whenever they are asked. */
const STEADY: DomainCase[] = [
  ["an exchange", exchangeAt({ A }), true],
  ["an exchange with IPv6 only", exchangeAt({ AAAA }), true],
  ["an exchange whose name servers fail", exchangeAt({ A: "servfail", AAAA: "servfail" }), true],
  ["an exchange at private and public addresses", exchangeAt({ A: ["10.0.0.1"], AAAA }), true],
  ["60 exchanges, by TCP", byTcp(MANY), true],
  ["no exchange, an IPv4 address", itself({ A }), true],
  ["no exchange, an IPv6 address", itself({ AAAA }), true],
  // D1
  ["a null MX", itself({ MX: ["0 ."] }), false],
  ["a null MX and an address", itself({ MX: ["0 ."], A }), false],
  // D2
  ["no exchange and no address", itself({}), false],
  // D3
  ["no such domain", () => ({}), false],
  // D5
  ["localhost for an exchange", itself({ MX: ["10 localhost"] }), false],
  ["an IP address for an exchange", itself({ MX: ["10 127.0.0.1"] }), false],
  ["a public IP address for an exchange", itself({ MX: ["10 9.9.9.9"] }), false],
  ["an exchange at a private address", exchangeAt({ A: ["10.0.0.1"] }), false],
  ["an exchange at a loopback address", exchangeAt({ A: ["127.0.0.1"], AAAA: ["::1"] }), false],
  // D4
  ["SERVFAIL", itself({ MX: "servfail", A }), undefined],
  ["REFUSED", itself({ MX: "refused", A }), undefined],
  ["an answer that is cut off", itself({ MX: "malformed", A }), undefined],
  ["an answer that is no DNS", itself({ MX: "garbage", A }), undefined],
  ["silence", itself({ MX: "silence", A }), undefined],
  ["silence by TCP", byTcp("silence"), undefined],
  ["no exchange, SERVFAIL for addresses", itself({ A: "servfail", AAAA: "servfail" }), undefined],
];

/** Has an exchange, and so has every domain below it. */
const ODD_DOMAIN = "odd.test";

/** What a site may pass as an address, and `email` of the session: a few of each kind, email.test.ts holds the others. */
const ODD_ADDRESSES: [what: string, given: string, email: string | undefined][] = [
  // D6
  ["capitals and spaces", " Ada@ODD.test\n", "ada@odd.test"],
  ["a plus tag", "ada+demo@odd.test", "ada+demo@odd.test"],
  ["a domain in Unicode", "ada@Bücher.odd.test", "ada@xn--bcher-kva.odd.test"],
  ["full-width letters and dots", "ada@ｏdd。test", "ada@odd.test"],
  ["a trailing dot", "ada@odd.test.", "ada@odd.test"],
  ["two dots in a row", "a..b@odd.test", undefined],
  ["nothing", "", undefined],
  ["a quoted local part", '"ada okafor"@odd.test', undefined],
  // D8
  ["two addresses", "ada@odd.test,ben@odd.test", undefined],
  ["an IP address", "ada@[127.0.0.1]", undefined],
];

/** Mistakes that checks of mail domains make. */
const FLAWS = [
  "a null MX were an exchange",
  "no exchange were a no",
  "a failure were a no",
  "any exchange would do",
] as const;
type Flaw = (typeof FLAWS)[number];

const domainOf = (index: number): string => `case-${index}.test`;

/** A name server that says of each domain what its case says. */
async function startNameServer(cases: DomainCase[]): Promise<string> {
  const zone: Zone = Object.assign({}, ...cases.map(([, of], index) => of(domainOf(index))));
  const { server, close } = await startScriptedDns((question) => {
    const { name, type } = question;
    if (name === ODD_DOMAIN || name.endsWith(`.${ODD_DOMAIN}`)) {
      return { MX: [`10 mx.${ODD_DOMAIN}`], A, AAAA: [] }[type];
    }
    const records = zone[name];
    if (records === undefined) return "nxdomain";
    const said = records[type] ?? [];
    return typeof said === "function" ? said(question) : said;
  });
  onTestFinished(close);
  return server;
}

describe("email_verified", () => {
  databaseTest(
    "is what the domain's name servers say, in the export and in the event",
    { timeout: 90_000 },
    async ({ database }) => {
      const domains = [...STEADY, RECOVERS];
      const expected = [
        ...domains.map(([what, , verified], index) => {
          const email = `ada@${domainOf(index)}`;
          return { what, given: email, email, verified, waits: verified === undefined };
        }),
        ...ODD_ADDRESSES.map(([what, given, email]) => {
          const verified = email === undefined ? undefined : true;
          return { what, given, email, verified, waits: false };
        }),
      ];
      const pipeline = await startPipeline(database, await startNameServer(domains));
      const ids: string[] = [];
      for (const { given } of expected) {
        ids.push(await playTalk(database, pipeline.customer, given));
      }
      const events = await pipeline.events(ids.length);
      const sessions = await pipeline.exported();
      const waitedMs = await settledAfterMs(database);
      const found = ids.map((id, index) => {
        const { email, email_verified: verified, metadata } = sessions.get(id) ?? {};
        // Only an address of whose domain nothing is known waits for as long as evaluations wait.
        const waits = waitedMs.get(id)! >= 15_000;
        return { what: expected[index]!.what, given: metadata?.["email"], email, verified, waits };
      });
      expect(found).toEqual(expected);
      const byId = (one: Partial<Session>, other: Partial<Session>): number =>
        one.id! < other.id! ? -1 : 1;
      expect(events.toSorted(byId)).toEqual([...sessions.values()].toSorted(byId));
    },
  );

  // The control: the cases must show each mistake, and nothing in the check without one.
  it("is told by the same check without a mistake", async () => {
    expect(await wrongVerdicts("none")).toEqual([]);
  });

  it.each(FLAWS)("would be seen to be wrong if %s", async (flaw) => {
    expect(await wrongVerdicts(flaw)).not.toEqual([]);
  });
});

async function wrongVerdicts(flaw: Flaw | "none"): Promise<string[]> {
  const server = await startNameServer(STEADY);
  const verdicts = await Promise.all(
    STEADY.map((_, index) => flawedCheck(server, domainOf(index), flaw)),
  );
  const wrong = STEADY.filter(([, , verified], index) => verified !== verdicts[index]);
  return wrong.map(([what]) => what);
}

interface Pipeline {
  /** One whose events are received here. */
  customer: Customer;
  /** The sessions of all events, as soon as there are so many. */
  events(count: number): Promise<Partial<Session>[]>;
  /** What the customer reads, by id. */
  exported(): Promise<Map<string, Partial<Session>>>;
}

/** The server at work as an operator runs it. */
async function startPipeline(database: TestDatabase, nameServer: string): Promise<Pipeline> {
  const world = await startOutsideWorld();
  onTestFinished(() => world.close());
  const receiver = await startEventReceiver();
  onTestFinished(() => receiver.close());
  const server = await startServerProcess(database, {
    SVC_ROLE: "all",
    SVC_SHUTDOWN_SECS: "1",
    ...world.environment,
    SVC_DNS_SERVERS: nameServer,
    SVC_WEBHOOK_PLAIN_HTTP: "on",
    SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
  });
  onTestFinished(async () => void (await server.stop()));
  const customer = await addCustomer(database.db);
  await addReceiver(database.db, customer, receiver.url);
  return {
    customer,
    events: async (count) => {
      const areAllIn = (): void => expect(receiver.received.length).toBeGreaterThanOrEqual(count);
      await vi.waitFor(areAllIn, { timeout: 60_000, interval: 100 });
      return receiver.received.map(
        ({ body }) => (JSON.parse(String(body)) as { data: Partial<Session> }).data,
      );
    },
    exported: async () => {
      const headers = { authorization: `Bearer ${customer.token}` };
      const answer = await fetch(`${server.url}/v1/sessions.json`, { headers });
      const { items } = (await answer.json()) as { items: Partial<Session>[] };
      return new Map(items.map((item) => [item.id!, item]));
    },
  };
}

async function playTalk({ db }: TestDatabase, customer: Customer, email: string): Promise<string> {
  const session = await start(db, customer, { metadata: { email } });
  await say(db, session, [
    { role: "assistant", content: "Hello. What brings you here?" },
    { role: "user", content: "We look for a demo that answers at night." },
  ]);
  await end(db, session);
  return session.id;
}

/** How long after its end each session was settled. */
async function settledAfterMs({ pool }: TestDatabase): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ id: string; ms: number }>(
    `SELECT id, extract(epoch FROM settled_at - ended_at)::float8 * 1000 AS ms
     FROM sessions WHERE settled_at IS NOT NULL`,
  );
  return new Map(rows.map(({ id, ms }) => [id, ms]));
}

const PRIVATE = /^(?:10\.|127\.|192\.168\.|::1$)/;

/** The check written a second time, with one mistake planted or with none. */
async function flawedCheck(
  server: string,
  domain: string,
  flaw: Flaw | "none",
): Promise<boolean | undefined> {
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  resolver.setServers([server]);
  const addressesOf = async (host: string): Promise<string[] | undefined> => {
    const found = await Promise.all([
      orCode(resolver.resolve4(host)),
      orCode(resolver.resolve6(host)),
    ]);
    const addresses = found.flatMap((one) => (Array.isArray(one) ? one : []));
    return addresses.length > 0 || found.every(isNone) ? addresses : undefined;
  };
  const failed = flaw === "a failure were a no" ? false : undefined;

  const records = await orCode(resolver.resolveMx(domain));
  if (records === "ENOTFOUND") return false;
  if (records === "ENODATA") {
    if (flaw === "no exchange were a no") return false;
    const addresses = await addressesOf(domain);
    return addresses === undefined ? failed : addresses.length > 0;
  }
  if (typeof records === "string") return failed;
  if (flaw === "a null MX were an exchange") return records.length > 0;
  const exchanges = records.map(({ exchange }) => exchange).filter((exchange) => exchange !== "");
  if (flaw === "any exchange would do") return exchanges.length > 0;
  for (const exchange of exchanges) {
    if (isIP(exchange) !== 0 || exchange === "localhost") continue;
    const addresses = (await addressesOf(exchange)) ?? [];
    if (addresses.length === 0 || !addresses.every((address) => PRIVATE.test(address))) return true;
  }
  return false;
}

async function orCode<T>(lookup: Promise<T>): Promise<T | string> {
  return lookup.catch((error: NodeJS.ErrnoException) => error.code ?? "");
}

function isNone(found: unknown): boolean {
  return found === "ENOTFOUND" || found === "ENODATA";
}
