/** Somebody who reads the export without pause, and how long each page took. */
export interface PageReading {
  /** From now on pages count for this; undefined: for nothing. One that began before does not. */
  count(turn: string | undefined): void;
  times(turn: string): number[];
  stop(): void;
}

/** Small ones, so that there are many to compare. */
const PAGE = 25;

export function readPages(options: {
  url: string;
  token: string;
  since: () => number;
}): PageReading {
  const { url, token, since } = options;
  const times = new Map<string, number[]>();
  let turn: string | undefined;
  const stopping = new AbortController();
  const read = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const began = turn;
      const startedAt = performance.now();
      const response = await fetch(`${url}/v1/sessions.json?limit=${PAGE}&since=${since()}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`the export answered ${response.status}`);
      if (began === undefined || began !== turn) continue;
      times.set(began, [...(times.get(began) ?? []), performance.now() - startedAt]);
    }
  };
  // What goes wrong after the end is no news.
  read().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    count: (next) => void (turn = next),
    times: (which) => times.get(which) ?? [],
    stop: () => stopping.abort(),
  };
}
