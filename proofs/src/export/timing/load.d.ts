/**
 * Asks over kept-alive connections and counts whole answers, without decoding them: a client that
 * costs little, because it shares the machine with what it measures.
 */
export declare function load(options: {
  url: string;
  path: () => string;
  headers: Record<string, string>;
  concurrency: number;
  forMs: number;
}): Promise<number>;
