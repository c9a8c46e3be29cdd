import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Session } from "@svc/contract/types";
import { DOMAIN_CASES, domainOf, ODD_ADDRESSES } from "./domain-cases.ts";
import { playAddresses, settledAfter } from "./world.ts";
import type { World } from "./world.ts";

/** How long an evaluation waits for a domain that says nothing, and the longest until it is settled then. */
const WAIT_MS = { least: 15_000, most: 20_000 };

interface Expected {
  what: string;
  given: string;
  email: string | undefined;
  verified: boolean | undefined;
}

/** Plays a session for each domain and each odd address, and compares export and events with what they must be. */
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
  const hasEvent = (id: string): boolean => world.events(id).length > 0;
  for (let waits = 0; waits < 100 && !ids.every(hasEvent); waits++) await delay(100);
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
  const domains = DOMAIN_CASES.map(({ what, zone, verified }, index) => {
    const domain = domainOf(index);
    names.define(zone(domain));
    const email = `ada@${domain}`;
    return { what, given: email, email, verified };
  });
  const odd = ODD_ADDRESSES.map(({ what, given, email }) => {
    return { what, given, email, verified: email === undefined ? undefined : true };
  });
  return [...domains, ...odd];
}

function differences({ given, email, verified }: Expected, session: Partial<Session>): string[] {
  const { email: stored, email_verified: isVerified, metadata } = session;
  // A key that is not known must be absent, not null.
  return stored === email && isVerified === verified && metadata?.["email"] === given
    ? []
    : [`email ${stored}, email_verified ${isVerified}, metadata.email ${metadata?.["email"]}`];
}

/** Only an address of whose domain nothing is known waits to the end. */
function isFineWait({ email, verified }: Expected, waitedMs: number): boolean {
  const waits = email !== undefined && verified === undefined;
  return waits ? waitedMs >= WAIT_MS.least && waitedMs < WAIT_MS.most : waitedMs < WAIT_MS.least;
}
