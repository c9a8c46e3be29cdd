import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IdlePages } from "./export-body.ts";

describe("idle pages", () => {
  it("go to the next page of the same account, and to no other", () => {
    const idle = new IdlePages();
    const buffer = Buffer.alloc(1_000);
    idle.keep(1, buffer);
    expect(idle.take(2, 100)).toBeUndefined();
    expect(idle.take(1, 1_000)).toBe(buffer);
    expect(idle.take(1, 1_000)).toBeUndefined();
  });

  it("are passed over when they are too small", () => {
    const idle = new IdlePages();
    idle.keep(1, Buffer.alloc(1_000));
    expect(idle.take(1, 1_001)).toBeUndefined();
    expect(idle.take(1, 1)).toBeDefined();
  });

  it("are not kept when they are huge, nor without end", () => {
    const idle = new IdlePages();
    idle.keep(1, Buffer.alloc(4_194_305));
    expect(idle.take(1, 1)).toBeUndefined();
    for (let i = 0; i < 100; i++) idle.keep(1, Buffer.allocUnsafeSlow(1_048_576));
    let kept = 0;
    while (idle.take(1, 1) !== undefined) kept++;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThanOrEqual(32);
  });

  it("never hand out one buffer twice, nor one of another account", () => {
    const step = fc.record({ account: fc.nat(3), bytes: fc.integer({ min: 1, max: 2_000 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.array(fc.boolean()), (steps, keeps) => {
        const idle = new IdlePages();
        const inUse = new Map<Buffer, number>();
        const owner = new Map<Buffer, number>();
        for (const [index, { account, bytes }] of steps.entries()) {
          const buffer = idle.take(account, bytes) ?? Buffer.allocUnsafeSlow(bytes);
          expect(inUse.has(buffer)).toBe(false);
          expect(owner.get(buffer) ?? account).toBe(account);
          expect(buffer.length).toBeGreaterThanOrEqual(bytes);
          owner.set(buffer, account);
          if (keeps[index] === true) idle.keep(account, buffer);
          else inUse.set(buffer, account);
        }
      }),
    );
  });
});
