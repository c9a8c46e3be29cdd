import { count, inMb } from "../runner/figures.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Claim } from "../runner/proof.ts";
import { COLLECT_ON_SIGNAL, liveMemory } from "../stage/live-memory.ts";
import { openStage } from "../stage/stage.ts";
import { FIVE_REQUESTS, checkGuessing, checkRateLimit } from "./nonsense/check-guessing.ts";
import { checkMutants } from "./nonsense/check-mutants.ts";
import { checkRequests } from "./nonsense/check-requests.ts";
import { fetchCursors, seedAccount } from "./nonsense/known-account.ts";
import { checkOddRequests, oddRequests } from "./nonsense/odd-requests.ts";
import {
  COLLECT_AND_LEAK,
  leakedBytes,
  seeBySchemathesis,
  seeWrongAnswers,
} from "./nonsense/planted-faults.ts";
import { checkSlowRequests } from "./nonsense/raw-answer.ts";
import { runSchemathesis } from "./nonsense/schemathesis.ts";

const MAX_GROWTH_MB = 4;
/** Resident memory holds what is fragmented too, so it moves more. */
const MAX_RESIDENT_RATIO = 1.25;
/** For what comes after the random requests. */
const LAST_PART_MS = 30_000;

export const refusesNonsense: Claim<undefined> = {
  promise:
    "Nonsense gets the documented refusal and does no harm: no crash, no 5xx, no memory lost, valid requests served meanwhile.",
  bound: `0 wrong answers, live memory ≤ +${MAX_GROWTH_MB} MB, every planted fault seen`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ seed, full, say, progress, timeLeftMs, onEnd }) => {
    const size = full
      ? {
          requests: 1_000_000,
          mutants: 30_000,
          warmUp: 20_000,
          schemaMs: 120_000,
          guessMs: 8_000,
        }
      : { requests: 10_000, mutants: 1_000, warmUp: 2_000, schemaMs: 20_000, guessMs: 3_000 };
    const home = await mkdtemp(join(tmpdir(), "svc-nonsense-"));
    onEnd(() => rm(home, { recursive: true, force: true }));
    const stage = await openStage();
    onEnd(() => stage.close());
    const startServer: typeof stage.startServer = (environment) =>
      stage.startServer({
        SVC_EXPORT_RATE: "1000000",
        SVC_EXPORT_BURST: "1000000",
        // Each request names its own visitor; from one address the back-off would slow it down.
        SVC_TRUSTED_PROXIES: "127.0.0.1",
        ...environment,
      });
    const account = await seedAccount(stage.database);
    const server = await startServer({ NODE_OPTIONS: COLLECT_ON_SIGNAL });
    const { url } = server;
    const known = { ...account, cursors: await fetchCursors(url, account.token) };

    let requests = 0;
    const onRequest = (): void => progress(++requests, size.requests, "requests");
    const run = { url, known, seed, home, onRequest, onEnd };
    const faults: string[] = [];
    const timeMs = (): number => timeLeftMs() - LAST_PART_MS;

    const slow = checkSlowRequests(url);
    faults.push(
      ...(await checkRequests({
        ...run,
        total: size.warmUp,
        seed: seed + 1,
        timeMs: timeMs(),
      })),
      ...(await checkOddRequests(url, oddRequests(known), onRequest)),
    );
    await readPagesAtOnce(url, known.token);
    const before = await liveMemory(server);
    const schemathesis = await runSchemathesis({ ...run, timeMs: size.schemaMs });
    requests += schemathesis.cases;
    faults.push(
      ...schemathesis.findings,
      ...(await checkMutants({ ...run, total: size.mutants, timeMs: timeMs() })),
      ...(await checkOddRequests(url, oddRequests(known), onRequest)),
    );
    const total = size.requests - requests;
    faults.push(...(await checkRequests({ ...run, total, timeMs: timeMs() })));
    const after = await liveMemory(server);
    say(
      `${count(requests)} requests, ${count(schemathesis.cases)} of them by schemathesis: ` +
        `live memory ${inMb(before.liveBytes)} MB before, ${inMb(after.liveBytes)} MB after, ` +
        `resident ${inMb(before.residentBytes)} and ${inMb(after.residentBytes)} MB`,
    );

    faults.push(...(await checkGuessing({ ...run, forMs: size.guessMs, say })), ...(await slow));
    const limited = await startServer(FIVE_REQUESTS);
    faults.push(...(await checkRateLimit(limited.url, known.token)));
    const planted = [...(await seeWrongAnswers(run)), await seeBySchemathesis(run)];
    for (const { fault, seen = "not seen" } of planted)
      say(`planted, a server that ${fault}: ${seen}`);
    const exitCode = await server.stop();
    if (exitCode !== 0) faults.push(`the server ended with ${exitCode}`);
    const logged = server.log.filter(({ level }) => level === "error" || level === "fatal");
    faults.push(...logged.slice(0, 3).map((line) => `logged ${JSON.stringify(line)}`));

    const leaking = await startServer({ NODE_OPTIONS: COLLECT_AND_LEAK });
    const leakMb = inMb(await leakedBytes(leaking, known, seed));
    say(`planted, a server that leaks 16 KB a request: ${leakMb} MB more`);

    for (const fault of faults) say(`wrong: ${fault}`);
    const growthMb = inMb(after.liveBytes - before.liveBytes);
    return {
      figure: `${faults.length} wrong answers of ${count(requests)}, live memory ${growthMb} MB more`,
      ok:
        faults.length === 0 &&
        growthMb <= MAX_GROWTH_MB &&
        after.residentBytes <= MAX_RESIDENT_RATIO * before.residentBytes &&
        leakMb > MAX_GROWTH_MB &&
        planted.every(({ seen }) => seen !== undefined),
      size: `${count(requests)} requests`,
      engines: ["schemathesis 4"],
    };
  },
};

/** The server keeps the memory of as many pages as were ever read at once; that is no growth. */
async function readPagesAtOnce(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const read = async (): Promise<void> =>
    void (await (await fetch(`${url}/v1/sessions.json?limit=100`, { headers })).arrayBuffer());
  await Promise.all(Array.from({ length: 64 }, read));
}
