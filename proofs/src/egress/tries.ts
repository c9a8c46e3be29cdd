import type { Random } from "@svc/tools/random";
import { ALLOWED, FORBIDDEN, FORBIDDEN_RANGES } from "./addresses.ts";
import { drawAddress } from "./draw-address.ts";
import type { Name } from "./names.ts";
import { spellingsOf } from "./spellings.ts";

/** One request, and how it may end. */
export interface Try {
  url: string;
  /** What the name server must know for it. */
  names?: Record<string, Name>;
  isFine(outcome: string): boolean;
}

let count = 0;

/** Every known address in every spelling, behind a name, beside a public one, behind a redirect. */
export function knownTries(): Try[] {
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
export function allowedTries(): Try[] {
  return ALLOWED.flatMap((address) => {
    const isFine = (outcome: string): boolean => outcome === `200 ${address}`;
    return [byLiteral(spellingsOf(address)[0]!), byName([address])].map((one) => ({
      ...one,
      isFine,
    }));
  });
}

/** Addresses out of the forbidden ranges, half of them behind names that change what they lead to. */
export function drawnTries(random: Random): Try[] {
  const address = drawAddress(random.pick(FORBIDDEN_RANGES), random);
  const allowed = random.pick(ALLOWED);
  return [
    byLiteral(random.pick(spellingsOf(address))),
    byName(random.chance(0.5) ? [address] : [allowed, address]),
    ...byChangingName(random.chance(0.5) ? [allowed, address] : [address, allowed]),
  ];
}

/** The same name several times at once: each lookup gets the next of the addresses. */
export function byChangingName(addresses: string[], times = 2): Try[] {
  const { url, names = {} } = byName(addresses, true);
  const reached = addresses.filter((one) => ALLOWED.includes(one)).map((one) => `200 ${one}`);
  const isFine = (outcome: string): boolean => isRefused(outcome) || reached.includes(outcome);
  return Array.from({ length: times }, () => ({ url, names, isFine }));
}

export function byLiteral(host: string): Try {
  return { url: `http://${host}/`, isFine: isRefused };
}

export function byName(addresses: string[], turns = false): Try {
  const name = `n${++count}.example`;
  return { url: `http://${name}/`, names: { [name]: { addresses, turns } }, isFine: isRefused };
}

export function byRedirect(from: string, to: string): Try {
  const [fromHost, toHost] = [from, to].map((address) => spellingsOf(address)[0]);
  const url = `http://${fromHost}/?to=${encodeURIComponent(`http://${toHost}/`)}`;
  return { url, isFine: (outcome) => outcome === `307 ${from}` };
}

function isRefused(outcome: string): boolean {
  return outcome === "bad_address" || outcome === "forbidden_address";
}
