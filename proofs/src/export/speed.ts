import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { addCustomer, seedBulk } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import type { Claim } from "../runner/proof.ts";
import { load } from "./timing/load.ts";
import { openStage } from "../stage/stage.ts";

const JSON_BOUND = 0.6;
const SHORT_ROUNDS = 16;
const CSV_BOUND = 0.45;
const LAST_PAGE_BOUND = 1.5;
const CONCURRENCY = 4;
const GAP_MS = 11;

export const exportSpeed: Claim<undefined> = {
  promise: "A page of the export costs little more than fetching its rows",
  bound: `JSON ≥ ${JSON_BOUND}, CSV ≥ ${CSV_BOUND} of bare pg, JSON ahead of bare node:http, last page ≤ ${LAST_PAGE_BOUND} of the first`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ seed, full, say, progress, onEnd, timeLeftMs }) => {
    const count = full ? 1_000_000 : 20_000;
    const stage = await openStage({ settings: { shared_buffers: full ? "2GB" : "512MB" } });
    onEnd(() => stage.close());
    const customer = await addCustomer(stage.database.db);
    const firstAt = new Date(Date.now() - count * GAP_MS - 3_600_000);
    await seedBulk(stage.database.pool, customer, count, firstAt, (done) =>
      progress(done, count, "sessions stored"),
    );

    const firstSecs = Math.floor(firstAt.getTime() / 1_000);
    const spanSecs = Math.floor((count * GAP_MS) / 1_000) - 3;
    const server = await stage.startServer({
      SVC_EXPORT_RATE: "1000000",
      SVC_EXPORT_BURST: "1000000",
      SVC_LOG_LEVEL: "warn",
    });
    const contender = async (
      kind: string,
    ): Promise<{ round(forMs: number): Promise<number>; url: string }> => {
      const script = fileURLToPath(new URL("./timing/contenders.ts", import.meta.url));
      const child = fork(script, [
        kind,
        stage.database.url,
        String(customer.account.id),
        String(firstSecs),
        String(spanSecs),
        String(CONCURRENCY),
        String(seed),
      ]);
      onEnd(() => child.kill());
      const [{ port }] = (await once(child, "message")) as [{ port?: number }];
      return {
        url: `http://127.0.0.1:${port}`,
        round: async (forMs) => {
          child.send(forMs);
          const [{ pages }] = (await once(child, "message")) as [{ pages: number }];
          return pages;
        },
      };
    };
    const bare = await contender("pg");
    const plain = await contender("http");

    const random = new Random(seed);
    const anywhere = (): number => firstSecs + random.integer(0, spanSecs - 1);
    const ask = (url: string, path: () => string, forMs: number): Promise<number> =>
      load({
        url,
        path,
        headers: { authorization: `Bearer ${customer.token}` },
        concurrency: CONCURRENCY,
        forMs,
      });
    const runs: Record<string, (forMs: number) => Promise<number>> = {
      bare: bare.round,
      http: (forMs) => ask(plain.url, () => `/?since=${anywhere()}`, forMs),
      json: (forMs) => ask(server.url, () => `/v1/sessions.json?since=${anywhere()}`, forMs),
      csv: (forMs) => ask(server.url, () => `/v1/sessions.csv?since=${anywhere()}`, forMs),
      first: (forMs) => ask(server.url, () => `/v1/sessions.json?since=${firstSecs}`, forMs),
      last: (forMs) =>
        ask(server.url, () => `/v1/sessions.json?since=${firstSecs + spanSecs}`, forMs),
    };

    // Contenders take turns, so that a busy moment of the machine hits all of them.
    const roundMs = full ? 3_000 : 350;
    const rounds: Record<string, number>[] = [];
    for (const run of Object.values(runs)) await run(roundMs);
    while (timeLeftMs() > roundMs * 7 && rounds.length < (full ? 12 : SHORT_ROUNDS)) {
      const round: Record<string, number> = {};
      for (const [name, run] of Object.entries(runs))
        round[name] = (await run(roundMs)) / (roundMs / 1_000);
      rounds.push(round);
      say(
        Object.entries(round)
          .map(([name, rate]) => `${name} ${rate.toFixed(0)}/s`)
          .join("  "),
      );
    }
    // The median: a busy moment of the machine takes half of one round, and is no fact of either.
    const usual = (name: string): number =>
      rounds.map((round) => round[name]!).toSorted((a, b) => a - b)[rounds.length >> 1]!;
    const ratio = (a: string, b: string): number => usual(a) / usual(b);
    const jsonOfBare = ratio("json", "bare");
    const csvOfBare = ratio("csv", "bare");
    const jsonOfHttp = ratio("json", "http");
    const lastOfFirst = ratio("first", "last");
    return {
      figure: `JSON ${jsonOfBare.toFixed(2)}, CSV ${csvOfBare.toFixed(2)} of bare pg; JSON ${jsonOfHttp.toFixed(2)} of bare node:http; last page ${lastOfFirst.toFixed(2)} of the first`,
      ok:
        jsonOfBare >= JSON_BOUND &&
        csvOfBare >= CSV_BOUND &&
        jsonOfHttp > 1 &&
        lastOfFirst <= LAST_PAGE_BOUND,
      size: `${count.toLocaleString("en")} sessions`,
    };
  },
};
