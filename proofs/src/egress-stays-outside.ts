import { Random } from "@svc/tools/random";
import { ALLOWED, FORBIDDEN } from "./egress/addresses.ts";
import type { Sending } from "./egress/sender.ts";
import { spellingsOf } from "./egress/spellings.ts";
import {
  allowedTries,
  byChangingName,
  byLiteral,
  byName,
  byRedirect,
  drawnTries,
  knownTries,
} from "./egress/tries.ts";
import type { Try } from "./egress/tries.ts";
import { NAME_SERVER, openNetworks } from "./egress/two-networks.ts";
import { defineProof } from "./runner/proof.ts";

const SEED = 20_261_115;
const INSIDE = "10.0.0.1";

// S11
export default defineProof({
  covers: [],
  claims: {
    "egress-stays-outside": {
      promise: "A request to an address that a customer chose never reaches the operator's network",
      bound: "0 packets to forbidden addresses, all public ones reached",
      tier: "nightly",
      prove: async ({ full, say, progress, timeLeftMs, onEnd }) => {
        const networks = await openNetworks(ALLOWED, onEnd);
        const [world, sender] = await Promise.all([
          networks.start("world", new URL("egress/world.ts", import.meta.url), [NAME_SERVER]),
          networks.start("sender", new URL("egress/sender.ts", import.meta.url)),
        ]);

        async function send(by: Sending["by"], tries: Try[]): Promise<string[]> {
          await world.ask(Object.assign({}, ...tries.map(({ names }) => names)));
          const urls = tries.map(({ url }) => url);
          return sender.ask<string[]>({ by, urls, allowed: ALLOWED } satisfies Sending);
        }
        /** Sends them as the product does, and counts what must not be. */
        async function prove(tries: Try[]): Promise<{ wrong: number; answered: number }> {
          const outcomes = await send("egress", tries);
          const wrong = tries.filter((one, index) => !one.isFine(outcomes[index] ?? ""));
          for (const one of wrong.slice(0, 5)) say(`  ${one.url}: ${outcomes[tries.indexOf(one)]}`);
          const answered = outcomes.filter((outcome) => /^\d/.test(outcome)).length;
          return { wrong: wrong.length, answered };
        }

        const known = knownTries();
        const knownResult = await prove(known);
        const knownPackets = await networks.read();
        say(
          `${FORBIDDEN.length} known addresses in ${known.length} ways: ${knownResult.wrong} not refused, ${knownPackets.inside} packets inside`,
        );

        const allowed = allowedTries();
        const allowedResult = await prove(allowed);
        const allowedPackets = await networks.read();
        say(
          `${ALLOWED.length} public addresses in ${allowed.length} ways: ${allowedResult.answered} answered, ${allowedPackets.outside} packets outside, ${allowedPackets.inside} inside`,
        );

        const random = new Random(SEED);
        const drawnTotal = full ? 300_000 : 8_000;
        const drawn = { tries: 0, wrong: 0, answered: 0 };
        // The controls come last: what they leave open must not be counted as ours.
        while (drawn.tries < drawnTotal && timeLeftMs() > 6_000) {
          const tries = Array.from({ length: 500 }, () => drawnTries(random)).flat();
          const result = await prove(tries);
          drawn.tries += tries.length;
          drawn.wrong += result.wrong;
          drawn.answered += result.answered;
          progress(drawn.tries, drawnTotal, "drawn tries");
        }
        const drawnPackets = await networks.read();
        say(
          `${drawn.tries} tries at drawn addresses, half by names that change: ${drawn.wrong} wrong, ${drawn.answered} led outside, ${drawnPackets.inside} packets inside`,
        );

        await send("fetch", [
          ...FORBIDDEN.map((address) => byLiteral(spellingsOf(address)[0]!)),
          ...FORBIDDEN.map((address) => byName([address])),
          ...FORBIDDEN.map((address) => byRedirect(ALLOWED[0]!, address)),
        ]);
        const naive = await networks.read();
        say(`control, fetch: ${naive.inside} packets inside, to ${naive.reached.length} addresses`);

        const changing = Array.from({ length: 100 }, () =>
          byChangingName([ALLOWED[0]!, INSIDE], 1),
        );
        const checked = await send("check, then fetch", changing.flat());
        const fooled = checked.filter((outcome) => outcome === `200 ${INSIDE}`).length;
        say(
          `control, check and then fetch: ${fooled} of ${checked.length} changing names led inside`,
        );

        const leaks = [knownPackets, allowedPackets, drawnPackets].flatMap(
          ({ reached }) => reached,
        );
        for (const address of leaks.slice(0, 10)) say(`  reached ${address}`);
        const inside = knownPackets.inside + allowedPackets.inside + drawnPackets.inside;
        const tries = known.length + allowed.length + drawn.tries;
        return {
          figure: `${inside} packets in ${tries.toLocaleString("en")} tries, ${allowedResult.answered} of ${allowed.length} public reached; fetch reached ${naive.reached.length} forbidden addresses`,
          ok:
            inside === 0 &&
            knownResult.wrong + allowedResult.wrong + drawn.wrong === 0 &&
            allowedPackets.outside > 0 &&
            drawn.answered > 0 &&
            naive.reached.length > FORBIDDEN.length / 2 &&
            fooled > 0,
          size: `${tries.toLocaleString("en")} tries`,
        };
      },
    },
  },
});
