import type { LiveWorld, TestDatabase } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { Insider } from "./insider.ts";
import { MARK } from "./nonsense.ts";
import { strangeVisit } from "./stranger.ts";
import type { Leftovers } from "./stranger.ts";

const INSIDERS = 6;
const STRANGERS = 6;
/** More would only say the same. */
const MOST_FAULTS = 20;

/** Many at once who do not keep to the protocol. */
export interface Attack {
  /** Returns what went wrong. */
  run(round: {
    frames: number;
    timeMs: number;
    onFrames: (count: number) => void;
  }): Promise<string[]>;
  judge(database: TestDatabase): Promise<string[]>;
  leave(): void;
}

/** Insiders with sessions of their own, strangers with none, and some who do not leave when it is over. */
export async function prepareAttack(world: LiveWorld, url: string, seed: number): Promise<Attack> {
  const used = await world.visit();
  const insiders = await Promise.all(
    Array.from({ length: INSIDERS }, async (_, index) => {
      const visit = index === 0 ? used : await world.visit();
      return Insider.enter(url, new Random(seed, index), visit);
    }),
  );
  // A ticket is void once the token that it brought is used.
  await insiders[0]!.comeBack("its ticket");
  const gone = await Insider.enter(url, new Random(seed, INSIDERS), await world.visit());
  await gone.overstay(() => {});
  const leftovers: Leftovers = { usedTicket: used, ended: gone.leftover };

  return {
    run: async ({ frames, timeMs, onFrames }) => {
      const until = performance.now() + timeMs;
      const faults: string[] = [];
      const rest = { frames };
      const count = (sent: number): void => {
        rest.frames -= sent;
        onFrames(sent);
      };
      const repeat = async (work: () => Promise<string | undefined>): Promise<void> => {
        while (rest.frames > 0 && performance.now() < until && faults.length < MOST_FAULTS) {
          const fault = await work();
          if (fault !== undefined) faults.push(fault);
        }
      };
      await Promise.all([
        ...insiders.map((insider) => repeat(() => insider.misbehave(count))),
        ...Array.from({ length: STRANGERS }, (_, index) => {
          const random = new Random(seed + frames, 100 + index);
          return repeat(() => strangeVisit(url, random, leftovers, count));
        }),
        repeat(async () => {
          const late = await Insider.enter(url, new Random(seed, rest.frames), await world.visit());
          return late.overstay(count).finally(() => late.leave());
        }),
      ]);
      return faults;
    },
    judge: async ({ pool }) => {
      const heard = await pool.query("SELECT 1 FROM turns WHERE content LIKE $1", [`%${MARK}%`]);
      const lost = await pool.query(
        "SELECT 1 FROM sessions WHERE id = ANY ($1) AND ended_at IS NOT NULL",
        [insiders.map(({ id }) => id)],
      );
      const emails = await pool.query("SELECT 1 FROM sessions WHERE email IS NOT NULL");
      return [
        ...(heard.rowCount === 0 ? [] : [`${heard.rowCount} pieces of nonsense were heard`]),
        ...(lost.rowCount === 0 ? [] : [`${lost.rowCount} sessions ended by nonsense`]),
        ...(emails.rowCount === 0 ? [] : ["an address was taken after the end"]),
      ];
    },
    leave: () => {
      for (const insider of [...insiders, gone]) insider.leave();
    },
  };
}
