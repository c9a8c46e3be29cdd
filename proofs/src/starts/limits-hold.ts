import { addCustomer, announceLive } from "@svc/server/testing";
import type { Claim } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { ROUNDS, accountLimits, judgeRound, overshoot, pairs } from "./limits/rounds.ts";
import type { Round } from "./limits/rounds.ts";
import { clicks, rush, start } from "./limits/rush.ts";

/** Each is sent to both servers: twice as many requests at once. */
const CLICKS = 150;
const FROM_ONE_ADDRESS = { account: { at_once_per_address: 5 }, addresses: 12, started: 5 };

// K1, V4, A7, A8
export const limitsHold: Claim<undefined> = {
  promise:
    "Limits on new sessions hold to the last one, however many start at once through however many processes, and a key starts one session",
  bound: "0 over or under any limit, without the lock at least 1 over",
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ full, say, progress, timeLeftMs, onEnd }) => {
    const stage = await openStage();
    onEnd(() => stage.close());
    const { database } = stage;
    const live = await announceLive(database.db);
    const renewing = setInterval(() => void announceLive(database.db, live), 2_000);
    onEnd(() => clearInterval(renewing));

    async function openAgent(round: Pick<Round, "account" | "agent" | "spentMicros">) {
      const limits = { maxMinutes: 20, ...round.agent };
      const { account, agent } = await addCustomer(database.db, { agent: { limits } });
      await database.pool.query("UPDATE accounts SET limits = $2 WHERE id = $1", [
        account.id,
        accountLimits(round),
      ]);
      if (round.spentMicros !== undefined)
        await database.pool.query(
          "INSERT INTO agent_days (agent_id, day, cost_micros) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2)",
          [agent.agentId, round.spentMicros],
        );
      return agent.agentId;
    }
    const trusting = { SVC_TRUSTED_PROXIES: "127.0.0.1" };
    const servers = await Promise.all([stage.startServer(trusting), stage.startServer(trusting)]);
    const urls = servers.map(({ url }) => url);
    const faults: string[] = [];
    let requests = 0;

    async function play(round: Round): Promise<void> {
      const agentId = await openAgent(round);
      const answers = await rush(urls, agentId, clicks(CLICKS, round.addresses));
      requests += answers.length;
      faults.push(...(await judgeRound(database, round, agentId, answers)));
      const asked = await fetch(`${urls[0]}/sdk/v1/agents/${agentId}/eligibility`, {
        headers: { "x-forwarded-for": "203.0.113.1" },
      });
      const { reason } = (await asked.json()) as { reason: string };
      if (reason !== round.reason) faults.push(`${round.limit}: eligibility says ${reason}`);
    }

    const once = [...ROUNDS, pairs(CLICKS)];
    const rounds = full ? Array.from({ length: 50 }, () => once).flat() : once;
    for (const [index, round] of rounds.entries()) {
      if (index >= once.length && timeLeftMs() === 0) break;
      await play(round);
      progress(index + 1, rounds.length, "rounds");
    }
    say(`${requests} starts, ${2 * CLICKS} at once through 2 processes: ${faults.length} faults`);

    // Those that run are never cut, and their visitors may still ask for another ticket.
    const [first] = clicks(1, 1);
    const running = await openAgent({ account: { at_once_per_agent: 1 } });
    const begun = await start(urls[0]!, running, first!);
    await database.pool.query(
      `UPDATE accounts SET limits = '{"daily_starts_per_agent": 1, "daily_cost_micros_per_agent": 1}' WHERE id = (SELECT account_id FROM agents WHERE id = $1)`,
      [running],
    );
    const again = await start(urls[1]!, running, first!);
    if (begun.sessionId === undefined || again.sessionId !== begun.sessionId)
      faults.push(`a running session's key gave ${again.outcome}`);

    const untrusting = await stage.startServer();
    const believer = await openAgent(FROM_ONE_ADDRESS);
    await rush([untrusting.url], believer, clicks(2 * CLICKS, FROM_ONE_ADDRESS.addresses));
    const forged = await overshoot(database, { ...pairs(CLICKS), ...FROM_ONE_ADDRESS }, believer);
    say(
      `${2 * CLICKS} forged addresses before a server that trusts no proxy: ${5 + forged} started, of 5`,
    );
    if (forged !== 0) faults.push(`${forged} more started by forging addresses`);

    const forgetful = await stage.startServer({
      ...trusting,
      NODE_OPTIONS: `--import ${new URL("./limits/forget-lock.ts", import.meta.url).href}`,
    });
    const both = [urls[0]!, forgetful.url];
    let over = 0;
    let noticed = 0;
    // Whether two meet is chance: once in some tries.
    for (let time = 0; time < 12 && over === 0 && timeLeftMs() > 0; time++) {
      const careless = await openAgent(pairs(CLICKS));
      const answers = await rush(both, careless, clicks(CLICKS, CLICKS / 2));
      over += await overshoot(database, pairs(CLICKS), careless);
      noticed += (await judgeRound(database, pairs(CLICKS), careless, answers)).length;
    }
    const removed = forgetful.log.filter(({ msg }) => msg === "lock removed");
    say(
      `control, one of the two processes without the lock: ${over} over the limit, ${noticed} faults noticed (${removed.length} locks removed)`,
    );

    for (const fault of faults.slice(0, 20)) say(`wrong: ${fault}`);
    return {
      figure: `${faults.length} wrong of ${requests} starts, without the lock ${over} over`,
      ok: faults.length === 0 && over > 0 && noticed > 0 && removed.length > 0,
      size: `${requests} starts`,
    };
  },
};
