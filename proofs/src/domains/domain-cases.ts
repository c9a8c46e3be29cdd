import type { DnsAnswer, DnsQuestion } from "@svc/server/testing";

/** What name servers say of each name, by the type that is asked for. */
export type Zone = Record<string, Partial<Record<DnsQuestion["type"], Said>>>;
type Said = DnsAnswer | ((question: DnsQuestion) => DnsAnswer);

/** A domain, and what the export must say of an address there. */
export interface DomainCase {
  what: string;
  zone: (domain: string) => Zone;
  /** Undefined: the key must be absent. */
  verified: boolean | undefined;
}

const A = ["9.9.9.9"];
const AAAA = ["2620:fe::fe"];

const itself = (records: Zone[string]) => (domain: string) => ({ [domain]: records });
/** A domain that names this one exchange, which has these addresses. */
const exchangeAt =
  (addresses: Zone[string]) =>
  (domain: string): Zone => ({
    [domain]: { MX: [`10 mx.${domain}`] },
    [`mx.${domain}`]: addresses,
  });
const many = Array.from({ length: 60 }, (_, index) => `${index} mx${index}.a-long-name.test`);
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

type Row = [what: string, zone: DomainCase["zone"]];
const all = (verified: boolean | undefined, rows: Row[]): DomainCase[] =>
  rows.map(([what, zone]) => ({ what, zone, verified }));

export const DOMAIN_CASES: DomainCase[] = [
  ...all(true, [
    ["an exchange", exchangeAt({ A })],
    ["an exchange with IPv6 only", exchangeAt({ AAAA })],
    ["an exchange whose name servers fail", exchangeAt({ A: "servfail", AAAA: "servfail" })],
    ["an exchange at private and public addresses", exchangeAt({ A: ["10.0.0.1"], AAAA })],
    ["60 exchanges, by TCP", byTcp(many)],
    ["no exchange, an IPv4 address", itself({ A })],
    ["no exchange, an IPv6 address", itself({ AAAA })],
    ["SERVFAIL at first", failsAtFirst],
  ]),
  ...all(false, [
    ["a null MX", itself({ MX: ["0 ."] })],
    ["a null MX and an address", itself({ MX: ["0 ."], A })],
    ["no exchange and no address", itself({})],
    ["no such domain", () => ({})],
    ["localhost for an exchange", itself({ MX: ["10 localhost"] })],
    ["an IP address for an exchange", itself({ MX: ["10 127.0.0.1"] })],
    ["a public IP address for an exchange", itself({ MX: ["10 9.9.9.9"] })],
    ["an exchange at a private address", exchangeAt({ A: ["10.0.0.1"] })],
    ["an exchange at a loopback address", exchangeAt({ A: ["127.0.0.1"], AAAA: ["::1"] })],
  ]),
  ...all(undefined, [
    ["SERVFAIL", itself({ MX: "servfail", A })],
    ["REFUSED", itself({ MX: "refused", A })],
    ["an answer that is cut off", itself({ MX: "malformed", A })],
    ["an answer that is no DNS", itself({ MX: "garbage", A })],
    ["silence", itself({ MX: "silence", A })],
    ["silence by TCP", byTcp("silence")],
    ["no exchange, and SERVFAIL for addresses", itself({ A: "servfail", AAAA: "servfail" })],
  ]),
];

/** The domain of a case. */
export function domainOf(index: number): string {
  return `case-${index}.test`;
}

/** What a site may pass as an address, and the `email` that the export must have for it. */
export interface OddAddress {
  what: string;
  given: string;
  /** Undefined: none. What was given stays in `metadata` either way. */
  email: string | undefined;
}

/** Every domain below this one has an exchange. */
export const ODD_DOMAIN = "odd.test";

/** A few of each kind: email.test.ts holds the others. */
export const ODD_ADDRESSES: OddAddress[] = [
  { what: "capitals and spaces", given: " Ada@ODD.test\n", email: "ada@odd.test" },
  { what: "a plus tag", given: "ada+demo@odd.test", email: "ada+demo@odd.test" },
  {
    what: "a domain in Unicode",
    given: "ada@Bücher.odd.test",
    email: "ada@xn--bcher-kva.odd.test",
  },
  { what: "full-width letters and dots", given: "ada@ｏdd。test", email: "ada@odd.test" },
  { what: "a trailing dot", given: "ada@odd.test.", email: "ada@odd.test" },
  { what: "two dots in a row", given: "a..b@odd.test", email: undefined },
  { what: "nothing", given: "", email: undefined },
  { what: "a quoted local part", given: '"ada okafor"@odd.test', email: undefined },
  { what: "two addresses", given: "ada@odd.test,ben@odd.test", email: undefined },
  { what: "an IP address", given: "ada@[127.0.0.1]", email: undefined },
];
