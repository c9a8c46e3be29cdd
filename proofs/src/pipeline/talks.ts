import { setTimeout as delay } from "node:timers/promises";
import { addCustomer, end, say, start } from "@svc/server/testing";
import type { Customer, PlayedTurn, TestDatabase } from "@svc/server/testing";

/** An agent with one question, which the talks below answer. */
export async function addAsker({ db }: TestDatabase): Promise<Customer> {
  return addCustomer(db, {
    agent: { questions: [{ key: "team_size", text: "How many people are in your team?" }] },
  });
}

/** A talk that no other is like. */
export function talk(number: number): PlayedTurn[] {
  return [
    { role: "assistant", content: "Hello. How many people are in your team?" },
    { role: "user", content: `We are ${number} people in our team.` },
    { role: "assistant", content: "And what brings you here?" },
    { role: "user", content: "We look for a demo that answers at night." },
  ];
}

/** Ends so many talks a second for so long, and tells their ids. */
export async function endTalks(
  { db }: TestDatabase,
  customer: Customer,
  plan: { perSecond: number; forMs: number; evaluateWithinSecs: number },
): Promise<string[]> {
  const ids: Promise<string>[] = [];
  const until = performance.now() + plan.forMs;
  const one = async (number: number): Promise<string> => {
    const session = await start(db, customer);
    await say(db, session, talk(number));
    await end(db, session, plan);
    return session.id;
  };
  for (let number = 1; performance.now() < until; number++) {
    ids.push(one(number));
    await delay(1_000 / plan.perSecond);
  }
  return Promise.all(ids);
}
