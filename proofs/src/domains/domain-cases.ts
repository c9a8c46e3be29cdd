import type { DnsAnswer, DnsQuestion } from "@svc/server/testing";

/** What name servers say of each name, by the type that is asked for. */
export type Zone = Record<string, Partial<Record<DnsQuestion["type"], Said>>>;
type Said = DnsAnswer | ((question: DnsQuestion) => DnsAnswer);

/** A domain, and what the export must say of an address there. */
export interface DomainCase {
  fault: string;
  what: string;
  zone: (domain: string) => Zone;
  /** Undefined: the key must be absent. */
  verified: boolean | undefined;
}

const IPV4 = ["9.9.9.9"];
const IPV6 = ["2620:fe::fe"];

/** A domain that names this one exchange, which has these addresses. */
const exchangeAt =
  (addresses: Zone[string]) =>
  (domain: string): Zone => ({
    [domain]: { MX: [`10 mx.${domain}`] },
    [`mx.${domain}`]: addresses,
  });
const itself = (records: Zone[string]) => (domain: string) => ({ [domain]: records });

/** Fails whoever asks within the first two seconds, and answers from then on. */
function shyAtFirst(domain: string): Zone {
  let firstAskedAt: number | undefined;
  const MX = (): DnsAnswer => {
    firstAskedAt ??= performance.now();
    return performance.now() < firstAskedAt + 2_000 ? "servfail" : [`10 mx.${domain}`];
  };
  return { ...exchangeAt({ A: IPV4 })(domain), [domain]: { MX } };
}

const many = Array.from({ length: 60 }, (_, index) => `${index} mx${index}.a-long-name.test`);

export const DOMAIN_CASES: DomainCase[] = [
  { fault: "D1", what: "a null MX", zone: itself({ MX: ["0 ."] }), verified: false },
  {
    fault: "D1",
    what: "a null MX and an address",
    zone: itself({ MX: ["0 ."], A: IPV4 }),
    verified: false,
  },
  { fault: "D1", what: "an exchange", zone: exchangeAt({ A: IPV4 }), verified: true },
  {
    fault: "D1",
    what: "an exchange with IPv6 only",
    zone: exchangeAt({ AAAA: IPV6 }),
    verified: true,
  },
  {
    fault: "D1",
    what: "an exchange whose name servers fail",
    zone: exchangeAt({ A: "servfail", AAAA: "servfail" }),
    verified: true,
  },
  {
    fault: "D1",
    what: "60 exchanges, by TCP",
    zone: itself({ MX: ({ by }) => (by === "udp" ? "truncated" : many) }),
    verified: true,
  },
  { fault: "D2", what: "no exchange, an IPv4 address", zone: itself({ A: IPV4 }), verified: true },
  {
    fault: "D2",
    what: "no exchange, an IPv6 address",
    zone: itself({ AAAA: IPV6 }),
    verified: true,
  },
  { fault: "D2", what: "no exchange and no address", zone: itself({}), verified: false },
  { fault: "D3", what: "no such domain", zone: () => ({}), verified: false },
  { fault: "D4", what: "SERVFAIL", zone: itself({ MX: "servfail", A: IPV4 }), verified: undefined },
  { fault: "D4", what: "REFUSED", zone: itself({ MX: "refused", A: IPV4 }), verified: undefined },
  {
    fault: "D4",
    what: "an answer cut off",
    zone: itself({ MX: "malformed", A: IPV4 }),
    verified: undefined,
  },
  {
    fault: "D4",
    what: "no DNS at all",
    zone: itself({ MX: "garbage", A: IPV4 }),
    verified: undefined,
  },
  { fault: "D4", what: "silence", zone: itself({ MX: "silence", A: IPV4 }), verified: undefined },
  {
    fault: "D4",
    what: "silence by TCP",
    zone: itself({ MX: ({ by }) => (by === "udp" ? "truncated" : "silence") }),
    verified: undefined,
  },
  {
    fault: "D4",
    what: "no exchange, and SERVFAIL for addresses",
    zone: itself({ A: "servfail", AAAA: "servfail" }),
    verified: undefined,
  },
  { fault: "D4", what: "SERVFAIL at first", zone: shyAtFirst, verified: true },
  {
    fault: "D5",
    what: "localhost for an exchange",
    zone: itself({ MX: ["10 localhost"] }),
    verified: false,
  },
  {
    fault: "D5",
    what: "an IP address for an exchange",
    zone: itself({ MX: ["10 127.0.0.1"] }),
    verified: false,
  },
  {
    fault: "D5",
    what: "a public IP address for an exchange",
    zone: itself({ MX: ["10 9.9.9.9"] }),
    verified: false,
  },
  {
    fault: "D5",
    what: "an exchange at a private address",
    zone: exchangeAt({ A: ["10.0.0.1"] }),
    verified: false,
  },
  {
    fault: "D5",
    what: "an exchange at a loopback address",
    zone: exchangeAt({ A: ["127.0.0.1"], AAAA: ["::1"] }),
    verified: false,
  },
  {
    fault: "D5",
    what: "an exchange at private and public addresses",
    zone: exchangeAt({ A: ["10.0.0.1"], AAAA: IPV6 }),
    verified: true,
  },
];
