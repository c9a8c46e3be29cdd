import { Random } from "@svc/tools/random";
import type { Claim } from "../runner/proof.ts";
import { ALLOWED, FORBIDDEN, spellingsOf } from "./addresses.ts";
import type { Sending } from "./sender.ts";
import { NAME_SERVER, openNetworks } from "./two-networks.ts";
import type { Name } from "./world.ts";

const INSIDE = "10.0.0.1";
/** For the controls, which come last: what they leave open must not be counted as ours. */
const CONTROLS_MS = 6_000;

export const egress: Claim<undefined> = {
  promise: "A request to an address that a customer chose never reaches the operator's network",
  bound: "0 packets to forbidden addresses, all public ones reached",
  tier: "nightly",
  prove: async ({ seed, sized, say, progress, timeLeftMs, onEnd }) => {
    const networks = await openNetworks(ALLOWED, onEnd);
    const [world, sender] = await Promise.all([
      networks.start("world", new URL("world.ts", import.meta.url), [NAME_SERVER]),
      networks.start("sender", new URL("sender.ts", import.meta.url)),
    ]);
    async function send(by: Sending["by"], tries: Try[]): Promise<string[]> {
      await world.ask(Object.assign({}, ...tries.map(({ names }) => names)));
      const urls = tries.map(({ url }) => url);
      return sender.ask<string[]>({ by, urls, allowed: ALLOWED } satisfies Sending);
    }
    /** Sends them as the product does, and counts those that end otherwise than they may. */
    async function judge(tries: Try[]): Promise<{ wrong: number; answered: number }> {
      const outcomes = await send("egress", tries);
      const wrong = tries.filter((one, index) => !one.isFine(outcomes[index] ?? ""));
      for (const one of wrong.slice(0, 5)) say(`  ${one.url}: ${outcomes[tries.indexOf(one)]}`);
      const answered = outcomes.filter((outcome) => /^\d/.test(outcome)).length;
      return { wrong: wrong.length, answered };
    }

    const known = knownTries();
    const knownResult = await judge(known);
    const allowed = allowedTries();
    const allowedResult = await judge(allowed);
    const random = new Random(seed);
    const total = sized({ gate: 200, quick: 8_000, full: 300_000 });
    const batch = Math.min(500, total / TRIES_EACH);
    const drawn = { tries: 0, wrong: 0, answered: 0 };
    while (drawn.tries < total && timeLeftMs() > CONTROLS_MS) {
      const tries = Array.from({ length: batch }, () => drawnTries(random)).flat();
      const result = await judge(tries);
      drawn.tries += tries.length;
      drawn.wrong += result.wrong;
      drawn.answered += result.answered;
      progress(drawn.tries, total, "drawn tries");
    }
    const ours = await networks.read();
    say(
      `${FORBIDDEN.length} known addresses in ${known.length} ways: ${knownResult.wrong} not refused; ${drawn.tries} drawn tries, half by names that change: ${drawn.wrong} wrong, ${drawn.answered} led outside`,
    );
    for (const address of ours.reached.slice(0, 10)) say(`  reached ${address}`);

    const literals = FORBIDDEN.map((address) => byLiteral(spellingsOf(address)[0]!));
    const ways = [
      ...literals,
      ...FORBIDDEN.map((address) => byName([address])),
      ...FORBIDDEN.map((address) => byRedirect(ALLOWED[0]!, address)),
    ];
    await send("fetch", sized({ gate: literals, quick: ways, full: ways }));
    const naive = await networks.read();
    const changing = Array.from({ length: 100 }, () => byChangingName([ALLOWED[0]!, INSIDE], 1));
    const checked = await send("check, then fetch", changing.flat());
    const fooled = checked.filter((outcome) => outcome === `200 ${INSIDE}`).length;
    say(
      `controls: fetch sent ${naive.inside} packets inside; a check before fetch let ${fooled} of ${checked.length} changing names inside`,
    );
    const tries = (known.length + allowed.length + drawn.tries).toLocaleString("en");
    return {
      figure: `${ours.inside} packets in ${tries} tries, ${allowedResult.answered} of ${allowed.length} public reached; fetch reached ${naive.reached.length} forbidden addresses`,
      ok:
        ours.inside === 0 &&
        knownResult.wrong + allowedResult.wrong + drawn.wrong === 0 &&
        ours.outside > 0 &&
        drawn.answered > 0 &&
        naive.reached.length > FORBIDDEN.length / 2 &&
        fooled > 0,
      size: `${tries} tries`,
    };
  },
};

/** One request, and how it may end. */
interface Try {
  url: string;
  /** What the name server must know for it. */
  names?: Record<string, Name>;
  isFine(outcome: string): boolean;
}

let count = 0;

/** Every known address in every spelling, behind a name, beside a public one, behind a redirect. */
function knownTries(): Try[] {
  return FORBIDDEN.flatMap((address, index) => {
    const allowed = ALLOWED[index % ALLOWED.length]!;
    return [
      ...spellingsOf(address).map(byLiteral),
      byName([address]),
      byName([allowed, address]),
      byName([address, allowed]),
      byRedirect(allowed, address),
    ];
  });
}

/** Public addresses as they are and behind a name. All of them must be reached. */
function allowedTries(): Try[] {
  return ALLOWED.flatMap((address) => {
    const isFine = (outcome: string): boolean => outcome === `200 ${address}`;
    return [byLiteral(spellingsOf(address)[0]!), byName([address])].map((one) => ({
      ...one,
      isFine,
    }));
  });
}

const TRIES_EACH = 4;

/** A forbidden address in a random spelling, behind a name, and behind a name that changes what it leads to. */
function drawnTries(random: Random): Try[] {
  const address = random.pick(FORBIDDEN);
  const allowed = random.pick(ALLOWED);
  return [
    byLiteral(random.pick(spellingsOf(address))),
    byName(random.chance(0.5) ? [address] : [allowed, address]),
    ...byChangingName(random.chance(0.5) ? [allowed, address] : [address, allowed]),
  ];
}

/** The same name several times at once: each lookup gets the next of the addresses. */
function byChangingName(addresses: string[], times = 2): Try[] {
  const { url, names = {} } = byName(addresses, true);
  const reached = addresses.filter((one) => ALLOWED.includes(one)).map((one) => `200 ${one}`);
  const isFine = (outcome: string): boolean => isRefused(outcome) || reached.includes(outcome);
  return Array.from({ length: times }, () => ({ url, names, isFine }));
}

function byLiteral(host: string): Try {
  return { url: `http://${host}/`, isFine: isRefused };
}

function byName(addresses: string[], turns = false): Try {
  const name = `n${++count}.example`;
  return { url: `http://${name}/`, names: { [name]: { addresses, turns } }, isFine: isRefused };
}

function byRedirect(from: string, to: string): Try {
  const [fromHost, toHost] = [from, to].map((address) => spellingsOf(address)[0]);
  const url = `http://${fromHost}/?to=${encodeURIComponent(`http://${toHost}/`)}`;
  return { url, isFine: (outcome) => outcome === `307 ${from}` };
}

function isRefused(outcome: string): boolean {
  return outcome === "bad_address" || outcome === "forbidden_address";
}
