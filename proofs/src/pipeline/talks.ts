import { addCustomer } from "@svc/server/testing";
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
