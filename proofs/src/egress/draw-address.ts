import type { Random } from "@svc/tools/random";

/** An address of the range: its first bits are the prefix's, the others are anything. */
export function drawAddress([prefix, bits]: [string, number], random: Random): string {
  const isIpv4 = prefix.includes(".");
  const [separator, base, width] = isIpv4 ? ([".", 10, 8] as const) : ([":", 16, 16] as const);
  return prefix
    .split(separator)
    .map((part, index) => {
      const fixed = Math.min(width, Math.max(0, bits - index * width));
      const free = 2 ** (width - fixed);
      const drawn = Number.parseInt(part, base) + random.integer(0, free - 1);
      return drawn.toString(base);
    })
    .join(separator);
}
