import { createServer, connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import type { TestDatabase, VoiceVisitor } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { waitUntil } from "../browsers/wait-until.ts";
import { makeKillable } from "../kills/hammer.ts";
import type { Claim } from "../runner/proof.ts";
import { comeBack, openTalkStage, socketOf } from "./talk-stage.ts";
import type { TalkServer, TalkStage } from "./talk-stage.ts";

const QUESTION = "How do I add it to my page?";
/** Several sentences: a hand-over between two of them is one in the middle of a turn. */
const ANSWER =
  "You paste a line of code. Then people can talk to a guide. You read what they asked for.";
const SPEECH = { ears: "scripted", voice: "tone", otherwise: QUESTION } as const;
const MAX_GAP_MS = 1_500;
const PATIENCE_MS = 30_000;
/** Between an answer and the next question. */
const PAUSE_MS = { min: 500, max: 3_000 };
/** What measuring leaves of the time: for calls to end and to be judged. */
const FINISH_MS = 60_000;

// O1
export const rollingRestartUnnoticed: Claim<TalkStage> = {
  promise:
    "Deploying drops no call and cuts no sentence: a process that is told to stop hands its calls over between two turns.",
  bound: `0 dropped or cut, no gap over ${MAX_GAP_MS / 1_000} s, 0 missing in the export; processes that do not wait are noticed`,
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  prove: async ({ sized, seed, say, progress, timeLeftMs, onEnd }, { database, model, serve }) => {
    const { texts, voices, rounds } = sized({
      quick: { texts: 26, voices: 4, rounds: 5 },
      full: { texts: 40, voices: 5, rounds: 30 },
    });
    model.answers(() => ANSWER, 50);
    const start = (shutdownSecs: string): Promise<TalkServer> =>
      serve(onEnd, SPEECH, {
        SVC_ROLE: "all",
        SVC_LIVE_CAPACITY: "100",
        SVC_SHUTDOWN_SECS: shutdownSecs,
      });
    const restart = async (count: number, shutdownSecs: string, stream: number) => {
      const servers = [await start(shutdownSecs), await start(shutdownSecs)];
      const random = new Random(seed, stream);
      // As behind a balancer that asks whether processes are ready.
      let stopping: TalkServer | undefined;
      const places = (): string[] => servers.filter((one) => one !== stopping).map(socketOf);
      const talkers = await enter(servers, { texts, voices, places, random });
      let restarts = 0;
      while (restarts < 2 * count && timeLeftMs() > FINISH_MS) {
        const at = restarts % 2;
        // As deployments do: the next one starts when the one before has gone.
        stopping = servers[at]!;
        await stopping.server.stop();
        servers[at] = await start(shutdownSecs);
        progress((restarts += 1), 2 * count, "restarts");
      }
      await Promise.all(talkers.map((talker) => talker.leave()));
      const judged = await Promise.all(talkers.map((talker) => talker.judge(database)));
      const missing = await missingExports(database, talkers);
      for (const { server } of servers) await server.stop();
      return { talkers, restarts, faults: judged.flat(), missing };
    };
    const control = await restart(1, "0", 1);
    say(`control, processes that do not wait: ${control.faults[0] ?? "not noticed"}`);
    const { talkers, restarts, faults, missing } = await restart(rounds, "60", 0);
    for (const fault of faults.slice(0, 20)) say(`wrong: ${fault}`);
    const gapsMs = talkers.flatMap((talker) => talker.gapsMs);
    const longest = Math.max(0, ...gapsMs);
    const answers = talkers.reduce((sum, { said }) => sum + said.length, 0);
    return {
      figure: `${faults.length} dropped or cut and ${missing} missing of ${talkers.length} calls with ${answers} answers, longest of ${gapsMs.length} gaps ${Math.round(longest)} ms, ${restarts} restarts`,
      ok:
        faults.length === 0 &&
        missing === 0 &&
        longest <= MAX_GAP_MS &&
        gapsMs.length >= talkers.length &&
        control.faults.length > 0,
      size: `${restarts} restarts, ${voices} of ${talkers.length} calls by voice`,
    };
  },
};

// P1, P2, P3, P4
export const databaseBlinks: Claim<TalkStage> = {
  promise:
    "Calls go on while PostgreSQL is away for seconds, and what was said meanwhile is stored in its order afterwards.",
  bound:
    "0 calls ended, 0 transcripts with a turn lost, doubled or out of order; a turn that is not kept is noticed",
  timeLimitSecs: { quick: 300, full: 2700 },
  tier: "nightly",
  prove: async ({ sized, seed, say, progress, timeLeftMs, onEnd }) => {
    const blinks = sized({ quick: 20, full: 200 });
    const random = new Random(seed);
    const { database, model, serve, stage } = await openTalkStage(onEnd, { durable: true });
    const postgres = await makeKillable(stage);
    const link = await openLink(Number(new URL(database.url).port));
    onEnd(() => link.close());
    model.answers(() => ANSWER, 50);
    const server = await serve(onEnd, SPEECH, {
      SVC_ROLE: "all",
      SVC_DATABASE_URL: link.through(database.url),
      SVC_EXPORT_DATABASE_URL: link.through(database.exportUrl),
    });
    const faultsOf: (() => Promise<unknown>)[] = [
      () => postgres.kill(AWAY_MS),
      () => postgres.kill(),
      () => postgres.killBackend(),
      () => link.swallow(AWAY_MS),
    ];
    const talkers = await enter([server], {
      texts: 6,
      voices: 2,
      places: () => [socketOf(server)],
      random,
    });
    let blinked = 0;
    while (blinked < blinks && timeLeftMs() > FINISH_MS) {
      await faultsOf[blinked % faultsOf.length]!();
      progress((blinked += 1), blinks, "outages");
      await delay(random.integer(0, 2_000));
    }
    await delay(GIVEN_UP_MS);
    await Promise.all(talkers.map((talker) => talker.leave()));
    const judged = await Promise.all(talkers.map((talker) => talker.judge(database)));
    const lost = talkers.reduce((sum, { gapsMs }) => sum + gapsMs.length, 0);
    const faults = judged.flat();
    for (const fault of faults.slice(0, 20)) say(`wrong: ${fault}`);

    // The control: as if what could not be stored at once were dropped.
    const [dropped] = talkers;
    await database.pool.query(
      "DELETE FROM turns WHERE seq = (SELECT seq FROM turns WHERE session_id = $1 ORDER BY seq OFFSET 3 LIMIT 1)",
      [dropped!.visitor.id],
    );
    const noticed = await dropped!.judge(database);
    say(`control, one turn less: ${noticed[0] ?? "not noticed"}`);
    const turns = talkers.reduce((sum, { said }) => sum + said.length, 0);
    return {
      figure: `${lost} sockets lost, ${faults.length} faults in ${talkers.length} calls with ${turns} answers during ${blinked} outages`,
      ok: lost === 0 && faults.length === 0 && noticed.length > 0,
      size: `${blinked} outages`,
    };
  },
};

const AWAY_MS = 5_000;
/** A query whose connection carries nothing any more is given up after eleven seconds, and what waits behind it is stored then. */
const GIVEN_UP_MS = 13_000;

interface Entering {
  texts: number;
  voices: number;
  /** Where a visitor may connect to. */
  places: () => string[];
  random: Random;
}

async function enter(
  servers: TalkServer[],
  { texts, voices, places, random }: Entering,
): Promise<Talker[]> {
  const { pcm: clip } = await speak(QUESTION);
  return Promise.all(
    Array.from({ length: texts + voices }, async (_, index) => {
      await delay(index * 100);
      const server = servers[index % servers.length]!;
      const isText = index < texts;
      const visitor = await server.join({ mode: isText ? "text" : "voice" });
      await visitor.browser.first("caption", ({ final }) => final);
      const talker = new Talker(visitor, { places, random, clip: isText ? undefined : clip });
      talker.begin();
      return talker;
    }),
  );
}

interface TalkerOptions {
  places: () => string[];
  random: Random;
  /** What is said by voice; absent in text. */
  clip: Int16Array | undefined;
}

/** A visitor who asks and is answered again and again, over as many sockets as it takes. */
class Talker {
  readonly visitor: VoiceVisitor;
  readonly said: string[] = [];
  /** How long each reconnection took. */
  readonly gapsMs: number[] = [];
  readonly #options: TalkerOptions;
  readonly #faults: string[] = [];
  #talk: Promise<void> = Promise.resolve();
  #connecting: Promise<void> = Promise.resolve();
  #isLeaving = false;

  constructor(visitor: VoiceVisitor, options: TalkerOptions) {
    this.visitor = visitor;
    this.#options = options;
  }

  begin(): void {
    this.#stay();
    this.#talk = this.#goOn().catch((error: unknown) => void this.#faults.push(String(error)));
  }

  async leave(): Promise<void> {
    this.#isLeaving = true;
    await this.#talk;
    await this.#connecting;
    await this.visitor.leave().catch((error: unknown) => this.#faults.push(String(error)));
  }

  /** What is stored of the call and was not so. */
  async judge({ pool }: TestDatabase): Promise<string[]> {
    const { rows } = await pool.query<{ content: string; interrupted: boolean; at: Date }>(
      "SELECT content, interrupted, at FROM turns WHERE session_id = $1 ORDER BY seq",
      [this.visitor.id],
    );
    const told = rows.slice(1);
    const wanted = this.said.flatMap((text) => [text, ANSWER]);
    const isRight = (index: number): boolean =>
      told[index]?.content === wanted[index] && told[index]?.interrupted !== true;
    const length = Math.max(told.length, wanted.length);
    const at = Array.from({ length }, (_, index) => index).find((index) => !isRight(index));
    if (at === undefined) return this.#faults;
    const { content = "nothing", interrupted = false } = told[at] ?? {};
    const why = await whatHappened(pool, this.visitor.id, told[at]?.at ?? new Date());
    return [
      ...this.#faults,
      `turn ${at + 1} of ${wanted.length} is stored as "${content}"${interrupted ? ", cut" : ""}, and was "${wanted[at] ?? "nothing"}": ${why}`,
    ];
  }

  async #goOn(): Promise<void> {
    const { random, clip } = this.#options;
    while (!this.#isLeaving) {
      await delay(random.integer(PAUSE_MS.min, PAUSE_MS.max));
      if (clip === undefined) await this.#type(`${QUESTION} ${this.said.length + 1}`);
      else await this.#ask(clip);
    }
  }

  async #ask(clip: Int16Array): Promise<void> {
    const { visitor } = this;
    const finished = (): number => visitor.heard.filter(({ end }) => end === "finished").length;
    const before = finished();
    this.said.push(QUESTION);
    await visitor.say(clip);
    if (!(await waitUntil(() => finished() > before, PATIENCE_MS))) throw new Error("no answer");
  }

  /** What a process has not stored is sent again, as the SDK does. */
  async #type(text: string): Promise<void> {
    this.said.push(text);
    const until = performance.now() + PATIENCE_MS;
    while (performance.now() < until) {
      await this.#connecting;
      const { browser, welcome } = this.visitor;
      const isKnown = welcome.transcript.some(({ content }) => content === text);
      if (!isKnown) browser.send({ type: "text", text });
      const isAnswered = (): boolean => {
        const captions = browser.all("caption");
        const asked = captions.findIndex((one) => one.text === text && one.final);
        const rest = asked === -1 && !isKnown ? [] : captions.slice(asked + 1);
        const last = welcome.transcript.at(-1);
        return (
          rest.some(({ role, final }) => role === "assistant" && final) ||
          (isKnown && last?.role === "assistant")
        );
      };
      await waitUntil(
        () => isAnswered() || browser.closeCode !== undefined,
        until - performance.now(),
      );
      if (isAnswered()) return;
      await delay(10);
    }
    throw new Error("no answer");
  }

  /** Connects again, to whoever takes it, whenever the socket is lost. */
  #stay(): void {
    const { socket } = this.visitor.browser;
    socket.once("close", () => {
      if (this.#isLeaving && this.visitor.browser.all("ended").length > 0) return;
      this.#connecting = this.#reconnect();
    });
  }

  async #reconnect(): Promise<void> {
    const lostAt = performance.now();
    const { places, random } = this.#options;
    this.visitor.vanish();
    const place = (): string => random.pick(places());
    if (await comeBack(this.visitor, place, { random, withinMs: PATIENCE_MS })) {
      this.gapsMs.push(performance.now() - lostAt);
      return this.#stay();
    }
    this.#faults.push("the call was dropped");
    this.#isLeaving = true;
  }
}

/** The call's own log around a turn: every fault must have a cause that somebody understands. */
async function whatHappened(
  pool: TestDatabase["pool"],
  sessionId: string,
  at: Date,
): Promise<string> {
  const { rows } = await pool.query<{ kind: string; detail: object; ms: number }>(
    `SELECT kind, detail, (1000 * extract(epoch FROM at - $2::timestamptz))::integer AS ms FROM session_events
     WHERE session_id = $1 AND kind <> 'state' AND at BETWEEN $2::timestamptz - interval '6 s' AND $2::timestamptz + interval '14 s'
     ORDER BY seq`,
    [sessionId, at],
  );
  return rows
    .map(({ kind, detail, ms }) => `${ms} ms ${kind} ${JSON.stringify(detail)}`)
    .join(", ");
}

/** How many of the calls are in no export, though their time for an evaluation is over. */
async function missingExports({ pool }: TestDatabase, talkers: Talker[]): Promise<number> {
  const ids = talkers.map(({ visitor }) => visitor.id);
  const missing = async (): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>(
      "SELECT count(*)::integer AS count FROM session_exports WHERE id = ANY ($1)",
      [ids],
    );
    return ids.length - rows[0]!.count;
  };
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await delay(200))
    if ((await missing()) === 0) return 0;
  return missing();
}

/** A way to PostgreSQL that can swallow what goes over it. */
interface Link {
  through(url: string): string;
  /** Connections that are open carry nothing any more, and new ones nothing until then. Nobody is told. */
  swallow(ms: number): Promise<void>;
  close(): void;
}

async function openLink(port: number): Promise<Link> {
  let isSwallowing = false;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      if (!isSwallowing) from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = (server.address() as AddressInfo).port;
  return {
    through(url) {
      const led = new URL(url);
      led.port = String(own);
      return led.href;
    },
    async swallow(ms) {
      isSwallowing = true;
      for (const socket of open) socket.unpipe();
      await delay(ms);
      isSwallowing = false;
    },
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
