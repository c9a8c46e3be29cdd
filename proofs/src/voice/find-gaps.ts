import type { HeardSegment } from "@svc/server/testing";

/** A silence in the middle of something that was said. */
export interface Gap {
  atMs: number;
  ms: number;
}

/** Where a loudspeaker ran dry. For what nobody paused. */
export function findGaps(heard: readonly Pick<HeardSegment, "stretches">[]): Gap[] {
  return heard.flatMap(({ stretches }) =>
    stretches.slice(1).map(({ startedAt, fromMs }, index) => {
      const before = stretches[index]!;
      return { atMs: fromMs, ms: startedAt - (before.startedAt + before.ms) };
    }),
  );
}
