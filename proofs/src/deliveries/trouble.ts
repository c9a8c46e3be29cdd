import type { ReceiverFault } from "@svc/rehearsal";
import type { DnsAnswer } from "@svc/server/testing";

type FaultKind = ReceiverFault["kind"];

/** How a customer's receivers fail. Each has a path of its own. */
export interface Trouble {
  /** Over http, at an address. */
  plain: string[];
  /** Over TLS. */
  secure: string[];
  /** Over http, at a name: the path followed by `.test`. */
  named: string[];
  faults: ReceiverFault[];
  lookUp(name: string): DnsAnswer;
}

const HERE = ["127.0.0.1"];
const HANDSHAKES: FaultKind[] = [
  "tls_expired",
  "tls_self_signed",
  "tls_wrong_host",
  "tls_1_0",
  "tls_stall",
];
/** On both sides of the ten seconds that a receiver has. */
const LATE_MS = { inTime: 9_600, tooLate: 10_400 };

const FAILURES: ReceiverFault[] = [
  { kind: "late", afterMs: LATE_MS.tooLate },
  { kind: "silent" },
  { kind: "drip" },
  { kind: "status", status: 301 },
  { kind: "status", status: 410 },
  { kind: "status", status: 429 },
  { kind: "status", status: 500 },
  { kind: "interim_flood" },
  { kind: "reset_before_body" },
  { kind: "reset_in_body" },
  { kind: "reset_after_body" },
  { kind: "close" },
  { kind: "http_0_9" },
  { kind: "huge_header" },
];

/** The first so many requests to each receiver fail, each receiver in its own way. */
export function firstFail(times: number): Trouble {
  const pathOf = ({ kind, status }: ReceiverFault): string => `/${kind}${status ?? ""}`;
  const lookUps = new Map<string, number>();
  return {
    plain: FAILURES.map(pathOf),
    secure: HANDSHAKES.map((kind) => `/${kind}`),
    named: ["/nxdomain", "/servfail", "/refused", "/garbage"],
    faults: [
      ...FAILURES.map((fault) => ({ ...fault, path: pathOf(fault), times })),
      ...HANDSHAKES.map((kind) => ({ kind, times })),
    ],
    lookUp: (name) => {
      const before = lookUps.get(name) ?? 0;
      lookUps.set(name, before + 1);
      return before < times ? (name.replace(".test", "") as DnsAnswer) : HERE;
    },
  };
}

/** How often a receiver fails in which way. */
const SHARES: Partial<Record<FaultKind, number>> = {
  silent: 0.01,
  drip: 0.01,
  interim_flood: 0.04,
  http_0_9: 0.04,
  huge_header: 0.04,
  reset_before_body: 0.04,
  reset_in_body: 0.04,
  reset_after_body: 0.04,
  reset_in_answer: 0.02,
  close: 0.04,
  close_reused: 0.02,
  endless_body: 0.005,
  huge_body: 0.005,
  dripping_body: 0.005,
  gzip_bomb: 0.005,
  bad_chunks: 0.005,
};
/** One for each path: two of the same kind on one path would share their turns. */
const STATUSES = [200, 206, 299, 301, 307, 410, 429, 500, 503];
const STATUS_SHARE = 0.12;
const LATE_SHARE = 0.01;
const HANDSHAKE_SHARE = 0.07;
const LOOK_UPS: { answer: DnsAnswer; share: number }[] = [
  { answer: "nxdomain", share: 0.1 },
  { answer: "servfail", share: 0.1 },
  { answer: "garbage", share: 0.05 },
  { answer: "silence", share: 0.05 },
];

/** About three requests in ten fail, in any way. */
export function threeInTen(random: () => number): Trouble {
  const plain = STATUSES.map((status) => `/plain-${status}`);
  return {
    plain,
    secure: ["/secure"],
    named: ["/named"],
    faults: [
      ...plain.flatMap((path, index) => nowAndThen(path, index)),
      ...HANDSHAKES.map((kind) => ({ kind, share: HANDSHAKE_SHARE })),
    ],
    lookUp: () => {
      let lot = random();
      return LOOK_UPS.find(({ share }) => (lot -= share) < 0)?.answer ?? HERE;
    },
  };
}

function nowAndThen(path: string, index: number): ReceiverFault[] {
  const kinds = Object.entries(SHARES) as [FaultKind, number][];
  const afterMs = index % 2 === 0 ? LATE_MS.inTime : LATE_MS.tooLate;
  return [
    { kind: "status", status: STATUSES[index]!, share: STATUS_SHARE, path },
    { kind: "late", afterMs, share: LATE_SHARE, path },
    ...kinds.map(([kind, share]) => ({ kind, share, path })),
  ];
}
