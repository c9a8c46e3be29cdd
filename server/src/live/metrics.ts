import type { Metrics } from "#platform";
import type { ModelUsage } from "#models";
import { LIVE_CLOSE } from "@svc/contract/live-close-codes";
import type { LiveCloseName } from "@svc/contract/live-close-codes";
import type { LiveEndReason } from "@svc/contract/types";
import { Counter, Gauge, Histogram } from "prom-client";
import type { Strain } from "./loop-watch.ts";
import type { SocketEnd } from "./socket/live-socket.ts";

export interface LiveMetrics {
  turnCommitted(role: "user" | "assistant"): void;
  /** A session by voice begins, begins in text because speech is away, or loses it on the way. */
  voice(what: "begun" | "away" | "lost"): void;
  /** How long after the visitor's words each stage of an answer came, in milliseconds. */
  timed(stages: Record<string, unknown>): void;
  replied(took: { firstWordMs: number | undefined; totalMs: number }): void;
  callEnded(reason: LiveEndReason): void;
  socketEnded(end: SocketEnd): void;
  used(usage: ModelUsage): void;
}

const STAGES = ["transcript", "end_of_turn", "first_token", "first_audio", "playback"];

/** The state of a process that is read at each scrape. */
export interface LiveState {
  sessions(): number;
  capacity: number;
  strain(): Strain;
}

export function createLiveMetrics(registry: Metrics, state: LiveState): LiveMetrics {
  const registers = [registry];
  const sessions: Gauge = new Gauge({
    name: "svc_live_sessions",
    help: "Conversations in this process",
    registers,
    collect: () => sessions.set(state.sessions()),
  });
  const capacity = new Gauge({
    name: "svc_live_capacity",
    help: "The most conversations that this process holds at once",
    registers,
  });
  capacity.set(state.capacity);
  const delay: Gauge = new Gauge({
    name: "svc_live_loop_delay_seconds",
    help: "How late the event loop was, at p99 of the last ten seconds or so",
    registers,
    collect: () => delay.set(state.strain().loopDelayMs / 1_000),
  });
  const memory: Gauge = new Gauge({
    name: "svc_live_memory_ratio",
    help: "The used part of the memory that this process may have",
    registers,
    collect: () => memory.set(state.strain().memoryShare),
  });
  const busy: Gauge = new Gauge({
    name: "svc_live_busy",
    help: "1 while this process takes no new conversation, by what it is short of",
    labelNames: ["of"],
    registers,
    collect: () => {
      for (const what of ["event_loop", "memory"])
        busy.set({ of: what }, state.strain().busy === what ? 1 : 0);
    },
  });
  const turns = new Counter({
    name: "svc_live_turns_total",
    help: "Turns of conversations, as they were heard",
    labelNames: ["role"],
    registers,
  });
  const firstWord = new Histogram({
    name: "svc_live_first_word_seconds",
    help: "From the visitor's words to the first of the agent's",
    buckets: [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10],
    registers,
  });
  const wholeReply = new Histogram({
    name: "svc_live_reply_seconds",
    help: "From the visitor's words to the last of the agent's",
    buckets: [0.5, 1, 2, 3, 5, 8, 13, 20, 30],
    registers,
  });
  const voice = new Counter({
    name: "svc_live_voice_total",
    help: "Sessions by voice: begun, begun in text because speech was away, lost on the way",
    labelNames: ["what"],
    registers,
  });
  const stages = new Histogram({
    name: "svc_live_stage_seconds",
    help: "From the end of the visitor's words to each stage of an answer by voice",
    labelNames: ["stage"],
    buckets: [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10],
    registers,
  });
  const ends = new Counter({
    name: "svc_live_ends_total",
    help: "Conversations that ended, by reason",
    labelNames: ["reason"],
    registers,
  });
  const sockets = new Counter({
    name: "svc_live_sockets_closed_total",
    help: "Sockets that were closed, by our reason or by the browser",
    labelNames: ["reason"],
    registers,
  });
  const tokens = new Counter({
    name: "svc_live_tokens_total",
    help: "Tokens that conversations cost",
    labelNames: ["direction"],
    registers,
  });
  const money = new Counter({
    name: "svc_live_cost_micros_total",
    help: "What conversations cost, in millionths of the configured currency",
    registers,
  });
  return {
    turnCommitted: (role) => turns.inc({ role }),
    voice: (what) => voice.inc({ what }),
    timed: (timings) => {
      for (const stage of STAGES) {
        const ms = timings[`${stage}_ms`];
        if (typeof ms === "number") stages.observe({ stage }, ms / 1_000);
      }
    },
    replied: ({ firstWordMs, totalMs }) => {
      if (firstWordMs !== undefined) firstWord.observe(firstWordMs / 1_000);
      wholeReply.observe(totalMs / 1_000);
    },
    callEnded: (reason) => ends.inc({ reason }),
    socketEnded: (end) => {
      const reason = end in LIVE_CLOSE ? LIVE_CLOSE[end as LiveCloseName].name : end;
      sockets.inc({ reason });
    },
    used: ({ inputTokens, outputTokens, costMicros }) => {
      tokens.inc({ direction: "input" }, inputTokens);
      tokens.inc({ direction: "output" }, outputTokens);
      money.inc(costMicros);
    },
  };
}
