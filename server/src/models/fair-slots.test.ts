import { createFakeClock } from "#testing";
import { describe, expect, it } from "vitest";
import { FairSlots } from "./fair-slots.ts";
import { ModelBusy } from "./model-errors.ts";

const PATIENT = { signal: new AbortController().signal, withinMs: 60_000 };
const FLOOD = 1;
const QUIET = 2;

/** Requests that end when they are told to, and the order in which they began. */
function underTest(most: number) {
  const clock = createFakeClock();
  const slots = new FairSlots(most, clock);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const ask = (account: number, wait = PATIENT): Promise<void> =>
    slots.run(account, wait, () => {
      begun.push(account);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    });
  const many = (account: number, count: number): void => {
    for (let i = 0; i < count; i++) void ask(account);
  };
  const endFirst = async (): Promise<void> => {
    ends.shift()!();
    await settled();
  };
  return { slots, clock, begun, ask, many, endFirst };
}

/** Lets everything go on that can. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

describe("the slots of a model", () => {
  it("are all for one account while no other asks", async () => {
    const { many, begun } = underTest(4);
    many(FLOOD, 10);
    await settled();
    expect(begun).toHaveLength(4);
  });

  it("go to the account with the fewest requests under way, however many another has waiting", async () => {
    const { many, begun, endFirst } = underTest(4);
    many(FLOOD, 100);
    many(QUIET, 2);
    await settled();
    await endFirst();
    await endFirst();
    expect(begun.slice(4)).toEqual([QUIET, QUIET]);
  });

  it("are given in turn where there is one", async () => {
    const { many, begun, endFirst } = underTest(1);
    many(FLOOD, 100);
    many(QUIET, 3);
    await settled();
    for (let i = 0; i < 6; i++) await endFirst();
    expect(begun).toEqual([FLOOD, QUIET, FLOOD, QUIET, FLOOD, QUIET, FLOOD]);
  });

  it("are waited for only so long", async () => {
    const { many, ask, begun, endFirst } = underTest(1);
    many(FLOOD, 1);
    await expect(ask(QUIET, { ...PATIENT, withinMs: 10 })).rejects.toBeInstanceOf(ModelBusy);
    await endFirst();
    expect(begun).toEqual([FLOOD]);
  });

  it("are not waited for by a caller who has given up", async () => {
    const { many, ask } = underTest(1);
    many(FLOOD, 1);
    const caller = new AbortController();
    const asking = ask(QUIET, { ...PATIENT, signal: caller.signal });
    caller.abort();
    await expect(asking).rejects.toThrow("aborted");
    await expect(ask(QUIET, { ...PATIENT, signal: caller.signal })).rejects.toThrow("aborted");
  });

  it("become fewer while the provider is busy, once a second, and more again with each answer", async () => {
    const { slots, clock, many, begun, endFirst } = underTest(20);
    many(FLOOD, 100);
    await settled();
    for (let i = 0; i < 5; i++) slots.lower();
    for (let i = 0; i < 6; i++) await endFirst();
    expect(begun).toHaveLength(20);
    await endFirst();
    expect(begun).toHaveLength(21);
    for (let i = 0; i < 20; i++) slots.raise();
    await settled();
    expect(begun).toHaveLength(22);
    for (let i = 0; i < 50; i++) {
      clock.advance(1_000);
      slots.lower();
    }
    const before = begun.length;
    for (let i = 0; i < 40; i++) await endFirst();
    expect(begun.length - before).toBeGreaterThan(20);
  });
});
