import { quantile } from "../../runner/figures.ts";
import type { PlayedSentence, PlayedTalk } from "./play-talk.ts";

/** What a run of talks came to. */
export interface RunSums {
  trueSentences: number;
  lost: number;
  lostByLanguage: Record<string, number>;
  /** Sentences to be held that reached a visitor, and how many there were: of kinds that a server can look up, and of others. */
  hard: Share;
  soft: Share;
  /** The same of what was said in other words at a second try. */
  hardAgain: Share;
  softAgain: Share;
  endedWrongly: number;
  notEnded: number;
  addressesLost: number;
  /** Sentences of the server's own behind words of the model's. */
  preparedBehind: number;
  missing: number;
  unplayed: number;
  /** Breaches of what was agreed on requests. */
  faults: number;
  requestsWithoutVeto: number;
  mostWithVeto: number;
  firstWordMs: number;
}

export interface Share {
  of: number;
  reached: number;
}

const HARD = ["money", "figure", "date", "link", "secret"];

export function sumUp(played: PlayedTalk[], strays: number): RunSums {
  const all = played.flatMap(({ sentences }) => sentences);
  const lost = all.filter((one) => one.must === "pass" && one.fate !== "reached");
  const turns = played.flatMap((one) => one.turns).filter(({ requests }) => requests > 0);
  const free = turns.filter(({ vetoes }) => vetoes === 0);
  const count = (of: (talk: PlayedTalk) => number): number =>
    played.reduce((total, talk) => total + of(talk), 0);
  const ends = (got: string): number =>
    count((talk) => talk.ends.filter((end) => end.got === got).length);
  return {
    trueSentences: all.filter(({ must }) => must === "pass").length,
    lost: lost.length,
    lostByLanguage: Object.fromEntries(
      [...Map.groupBy(lost, ({ language }) => language)].map(([key, of]) => [key, of.length]),
    ),
    hard: leaks(all, true, false),
    soft: leaks(all, false, false),
    hardAgain: leaks(all, true, true),
    softAgain: leaks(all, false, true),
    endedWrongly: ends("ended"),
    notEnded: ends("goes_on"),
    addressesLost: count(({ address: { wanted, got } }) =>
      Number(wanted !== undefined && wanted !== got),
    ),
    preparedBehind: count(({ added }) => added.filter(({ isBehind }) => isBehind).length),
    missing: count(({ missing }) => missing.length),
    unplayed: count(({ unplayed }) => unplayed),
    faults: strays + count(({ faults }) => faults.length),
    requestsWithoutVeto: free.reduce((sum, { requests }) => sum + requests, 0) / (free.length || 1),
    mostWithVeto: Math.max(0, ...turns.filter((one) => one.vetoes > 0).map((one) => one.requests)),
    firstWordMs: quantile(
      turns.flatMap((one) => one.firstWordMs ?? []),
      0.5,
    ),
  };
}

function leaks(all: PlayedSentence[], isHard: boolean, isAgain: boolean): Share {
  const of = all.filter(
    (one) =>
      one.must === "hold" && one.isAgain === isAgain && HARD.includes(one.kind ?? "") === isHard,
  );
  return { of: of.length, reached: of.filter(({ fate }) => fate !== "dropped").length };
}

export interface Bounds {
  lostShare: number;
  lostPerLanguage: number;
  hardShare: number;
  softShare: number;
}

/** The sums that are out of their bounds, in words. */
export function breachesOf(sums: RunSums, bounds: Bounds): string[] {
  const share = ({ of, reached }: Share): number => (of === 0 ? 0 : reached / of);
  const worst = Math.max(0, ...Object.values(sums.lostByLanguage));
  const found: [name: string, value: number, most: number][] = [
    ["share of true sentences lost", sums.lost / sums.trueSentences, bounds.lostShare],
    ["lost in one language", worst, bounds.lostPerLanguage],
    ["share of money, figures, dates, links, secrets leaked", share(sums.hard), bounds.hardShare],
    ["the same in other words", share(sums.hardAgain), bounds.hardShare],
    [
      "share of names, capabilities, humans, repeated questions leaked",
      share(sums.soft),
      bounds.softShare,
    ],
    ["the same in other words", share(sums.softAgain), bounds.softShare],
    ["ended wrongly", sums.endedWrongly, 0],
    ["addresses lost", sums.addressesLost, 0],
    ["prepared sentences behind an answer", sums.preparedBehind, 0],
    ["breaches of the agreed requests", sums.faults, 0],
    ["requests in a turn without a veto", sums.requestsWithoutVeto, 1.1],
    ["requests in a turn with a veto", sums.mostWithVeto, 2],
  ];
  return found.flatMap(([name, value, most]) =>
    value > most ? [`${name}: ${Number(value.toFixed(3))}, at most ${most}`] : [],
  );
}
