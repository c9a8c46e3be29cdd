import { isDeepStrictEqual } from "node:util";
import { setTimeout as delay } from "node:timers/promises";
import type { Session } from "@svc/contract/types";
import { DOMAIN_CASES } from "./domain-cases.ts";
import { ODD_ADDRESSES } from "./odd-addresses.ts";
import { playAddresses, settledAfter } from "./play-addresses.ts";
import type { World } from "./world.ts";

/** An evaluation waits so long for a domain that says nothing; then it takes its own time. */
const WAIT_MS = { least: 15_000, most: 20_000 };

interface Expected {
  what: string;
  given: string;
  email: string | undefined;
  verified: boolean | undefined;
}

/** Plays a session for each domain and each odd address, and tells what is not as it must be. */
export async function checkTruth(world: World): Promise<{ checked: number; wrong: string[] }> {
  const { database } = world;
  const customer = await world.addCustomer();
  const cases = expectations(world);
  const ids = await playAddresses(
    database,
    customer,
    cases.map(({ given }) => given),
  );
  const settled = await settledAfter(database, ids);
  const isTold = (id: string): boolean => world.events(id).length > 0;
  for (let waits = 0; waits < 100 && !ids.every(isTold); waits++) await delay(100);
  const sessions = await world.exported(customer, ids);
  const wrong = cases.flatMap((one, index) => {
    const session = sessions[index];
    const events = world.events(ids[index]!);
    const waitedMs = settled.get(ids[index]!)!;
    const faults = [
      ...(session === undefined ? ["not exported"] : differences(one, session)),
      ...(isDeepStrictEqual(events, [session]) ? [] : [`${events.length} events, or another one`]),
      ...(isFineWait(one, waitedMs) ? [] : [`settled after ${Math.round(waitedMs)} ms`]),
    ];
    return faults.map((fault) => `${one.what}: ${fault}`);
  });
  return { checked: cases.length, wrong };
}

function expectations({ names }: World): Expected[] {
  const domains = DOMAIN_CASES.map(({ fault, what, zone, verified }, index): Expected => {
    const domain = domainOf(index);
    names.define(zone(domain));
    return { what: `${fault}, ${what}`, given: `ada@${domain}`, email: `ada@${domain}`, verified };
  });
  const odd = ODD_ADDRESSES.map(({ what, given, email }): Expected => ({
    what: `D6, ${what}`,
    given,
    email,
    verified: email === undefined ? undefined : true,
  }));
  return [...domains, ...odd];
}

/** The domain of a case. */
export function domainOf(index: number): string {
  return `case-${index}.test`;
}

function differences(expected: Expected, session: Partial<Session>): string[] {
  const { email, email_verified: verified, metadata } = session;
  const told = { email, verified, given: metadata?.["email"], isNull: verified === null };
  const { what: _, ...must } = expected;
  return isDeepStrictEqual(told, { ...must, isNull: false })
    ? []
    : [`email ${email}, email_verified ${verified}, metadata.email ${told.given}`];
}

/** Only who has an address of which nothing is known waits to the end. */
function isFineWait({ email, verified }: Expected, waitedMs: number): boolean {
  const waits = email !== undefined && verified === undefined;
  return waits ? waitedMs >= WAIT_MS.least && waitedMs < WAIT_MS.most : waitedMs < WAIT_MS.least;
}
