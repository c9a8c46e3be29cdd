import type { Evaluation } from "@svc/contract/types";
import { transact } from "#platform";
import type { Db } from "#platform";
import {
  addTurn,
  connectVisitor,
  endSession,
  setEmailVerified,
  settleSession,
  startSession,
} from "#sessions";
import type { Settlement, StartedSession } from "#sessions";
import type { Customer } from "./customer.ts";
import { jobSenderOf } from "./job-sender.ts";

/** The steps of a session's life, each in a transaction of its own, as the product takes them. */
export async function start(
  db: Db,
  customer: Customer,
  options: { test?: boolean; metadata?: Record<string, unknown> } = {},
): Promise<StartedSession> {
  return transact(db, (trx) =>
    startSession(trx, jobSenderOf(db), {
      accountId: customer.account.id,
      agent: customer.agent,
      test: options.test ?? false,
      metadata: options.metadata ?? {},
    }),
  );
}

export interface PlayedTurn {
  role: "user" | "assistant";
  content: string;
  interrupted?: boolean;
}

/** Turns one second apart, counted from the session's start. */
export async function say(db: Db, session: StartedSession, turns: PlayedTurn[]): Promise<void> {
  await transact(db, async (trx) => {
    await connectVisitor(trx, session.id, 20);
    for (const [index, turn] of turns.entries()) {
      await addTurn(trx, session, {
        itemId: `item-${index}`,
        at: new Date(session.createdAt.getTime() + index * 1_000),
        interrupted: false,
        ...turn,
      });
    }
  });
}

export async function end(
  db: Db,
  session: StartedSession,
  options: { evaluateWithinSecs?: number } = {},
): Promise<"abandoned" | "evaluation_due" | "ended_before"> {
  const jobs = jobSenderOf(db);
  return transact(db, (trx) =>
    endSession(trx, jobs, session.id, { reason: "visitor_ended", ...options }),
  );
}

export async function settle(
  db: Db,
  session: StartedSession,
  settlement: Settlement,
): Promise<void> {
  await transact(db, (trx) => settleSession(trx, session.id, settlement));
}

export async function verifyEmail(
  db: Db,
  session: StartedSession,
  address: string,
  verified: boolean,
): Promise<void> {
  await transact(db, (trx) => setEmailVerified(trx, session.id, { address, verified }));
}

export const EXAMPLE_TURNS: PlayedTurn[] = [
  { role: "assistant", content: "Hello, I am an AI guide. What brings you here?" },
  { role: "user", content: "We need a demo for our sales team of twelve." },
];

export const EXAMPLE_EVALUATION: Evaluation = {
  language: "en",
  qualification: { status: "qualified", reasoning: "Twelve people in sales." },
  questions: { team_size: { was_asked: true, was_answered: true, answer: "twelve" } },
  summary: "A sales team of twelve.",
};

/** A whole session from start to settled. */
export async function playSession(
  db: Db,
  customer: Customer,
  options: {
    test?: boolean;
    metadata?: Record<string, unknown>;
    turns?: PlayedTurn[];
    settlement?: Settlement;
  } = {},
): Promise<StartedSession> {
  const session = await start(db, customer, options);
  await say(db, session, options.turns ?? EXAMPLE_TURNS);
  if ((await end(db, session)) === "evaluation_due") {
    await settle(
      db,
      session,
      options.settlement ?? {
        status: "processed",
        summary: "They need a demo.",
        evaluation: EXAMPLE_EVALUATION,
      },
    );
  }
  return session;
}
