import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel } from "@svc/rehearsal";
import { addCustomer, changeAccount, LiveBrowser, NO_START_LIMITS } from "@svc/server/testing";
import type { Claim } from "../runner/proof.ts";
import { ConcurrencyLimit } from "../stage/concurrency-limit.ts";
import { openStage } from "../stage/stage.ts";

const MAX_ADMITTED = 100;
const VISITORS = 50;
/** Of them at once, which leaves the scripts places to take. */
const VISITORS_AT_ONCE = 5;
const AT_ONCE = 8;
/** Of the agent without other limits. */
const PLACES = 40;
const UNLIMITED_STARTS = 120;

// A7
export const startsCostSomething: Claim<undefined> = {
  promise:
    "Scripts that start sessions from a whole IPv6 /48 get a few, and visitors from elsewhere are served all the while",
  bound:
    "≤ 100 of 10,000 starts admitted, 50 of 50 visitors served; with no limit but the agent's places, 0 are",
  tier: "nightly",
  timeLimitSecs: { quick: 300, full: 2700 },
  prove: async ({ say, sized, progress, onEnd }) => {
    const starts = sized({ quick: 300, full: 10_000 });
    const overMs = sized({ quick: 0, full: 590_000 });
    const stage = await openStage();
    onEnd(() => stage.close());
    const model = await startLanguageModel();
    onEnd(() => model.close());
    const { url } = await stage.startServer({
      SVC_ROLE: "all",
      SVC_MODEL_URL: model.baseUrl,
      SVC_EVALUATION_MODEL: "rehearsal",
      SVC_TRUSTED_PROXIES: "127.0.0.1",
      // The agents' places are what the scripts are after, not those of the process.
      SVC_LIVE_CAPACITY: "200",
      SVC_SHUTDOWN_SECS: "1",
    });
    const { db } = stage.database;
    const { agentId: guarded } = (await addCustomer(db)).agent;
    const unlimited = await addCustomer(db);
    await changeAccount(db, unlimited, {
      limits: { ...NO_START_LIMITS, at_once_per_agent: PLACES },
    });

    const attack = async (agentId: string, count: number, duringMs: number): Promise<Attack> => {
      const outcomes = new Map<string, number>();
      const sockets: LiveBrowser[] = [];
      const lanes = new ConcurrencyLimit(AT_ONCE);
      const begun = performance.now();
      const one = async (n: number): Promise<void> => {
        // Every tenth request is from the same /64, and the /64s are spread over the /48.
        const address = `2001:db8:77:${(((n % Math.ceil(count / 10)) * 61) % 65_536).toString(16)}::1`;
        const { outcome, session } = await tryStart(url, agentId, address);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        progress(n, count, "starts");
        if (session === undefined) return;
        const { socket } = await connect(session, address);
        sockets.push(socket);
      };
      const all: Promise<void>[] = [];
      for (let n = 0; n < count; n++) {
        const waitMs = begun + (duringMs * n) / count - performance.now();
        if (waitMs > 0) await delay(waitMs);
        all.push(lanes.run(() => one(n)));
      }
      await Promise.all(all);
      return { outcomes, stop: () => sockets.forEach(({ socket }) => socket.terminate()) };
    };
    const visit = async (agentId: string, n: number): Promise<boolean> => {
      const address = `198.${51 + n}.100.7`;
      const { session } = await tryStart(url, agentId, address);
      if (session === undefined) return false;
      const { socket, isWelcome } = await connect(session, address);
      if (isWelcome) socket.send({ type: "end" });
      return isWelcome;
    };
    const served = async (agentId: string): Promise<number> => {
      const lanes = new ConcurrencyLimit(VISITORS_AT_ONCE);
      const visits = Array.from({ length: VISITORS }, (_, n) => lanes.run(() => visit(agentId, n)));
      return (await Promise.all(visits)).filter(Boolean).length;
    };
    const tell = (what: string, { outcomes }: Attack, visitors: number): void => {
      const list = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
      say(`${what}: ${list}; ${visitors} of ${VISITORS} visitors served`);
    };

    // The control: where nothing but its places is limited, the same scripts take them all.
    const free = await attack(unlimited.agent.agentId, UNLIMITED_STARTS, 0);
    const servedFree = await served(unlimited.agent.agentId);
    tell("without limits", free, servedFree);
    free.stop();
    const hasControl = admittedOf(free) >= PLACES && servedFree === 0;

    const attacking = attack(guarded, starts, overMs);
    const during = overMs === 0 ? undefined : await delay(overMs / 2).then(() => served(guarded));
    const limited = await attacking;
    const after = await served(guarded);
    const visitors = Math.min(after, during ?? after);
    tell("with the defaults", limited, visitors);
    limited.stop();
    return {
      figure: `${admittedOf(limited)} of ${starts} starts admitted, ${visitors} of ${VISITORS} visitors served; without limits ${admittedOf(free)} of ${UNLIMITED_STARTS} and ${servedFree} of ${VISITORS}`,
      ok: hasControl && admittedOf(limited) <= MAX_ADMITTED && visitors === VISITORS,
      size: `${starts} starts from ${Math.ceil(starts / 10)} /64`,
    };
  },
};

interface Attack {
  outcomes: Map<string, number>;
  /** Closes the sockets of those who came in. */
  stop(): void;
}

function admittedOf({ outcomes }: Attack): number {
  return outcomes.get("started") ?? 0;
}

/** What a browser needs to open the socket. */
interface Started {
  session_id: string;
  ticket: string;
  live_url: string;
}

async function connect(
  { session_id: id, ticket, live_url: url }: Started,
  address: string,
): Promise<{ socket: LiveBrowser; isWelcome: boolean }> {
  const socket = await LiveBrowser.open(url, { "x-forwarded-for": address });
  const isWelcome = await socket.hello(id, { ticket }).then(
    () => true,
    () => false,
  );
  return { socket, isWelcome };
}

/** One request to start a session: `started`, or the error's code. */
export async function tryStart(
  url: string,
  agentId: string,
  address?: string,
): Promise<{ outcome: string; session?: Started }> {
  const response = await fetch(`${url}/sdk/v1/sessions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(address !== undefined && { "x-forwarded-for": address }),
    },
    body: JSON.stringify({
      agent_id: agentId,
      start_key: randomUUID(),
      mode: "text",
      language: "en",
      metadata: {},
      page: "https://www.example.com/",
      notice: { text: "An AI speaks.", language: "en", accepted_at: "2026-01-01T00:00:00Z" },
    }),
  });
  const answer = (await response.json()) as Partial<Started> & { error?: { code: string } };
  if (answer.session_id !== undefined) return { outcome: "started", session: answer as Started };
  return { outcome: answer.error?.code ?? `status ${response.status}` };
}
