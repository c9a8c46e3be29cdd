import { connect } from "node:net";

/**
 * Asks over kept-alive connections and counts whole answers, without decoding them: a client that
 * costs little, because it shares the machine with what it measures.
 */
export async function load(options: {
  url: string;
  path: () => string;
  headers: Record<string, string>;
  concurrency: number;
  forMs: number;
}): Promise<number> {
  const { hostname, port } = new URL(options.url);
  const head = Object.entries(options.headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const until = performance.now() + options.forMs;
  let pages = 0;

  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let missing = 0;
      const ask = (): void => {
        if (performance.now() >= until) return void socket.end(resolve);
        socket.write(`GET ${options.path()} HTTP/1.1\r\nhost: ${hostname}\r\n${head}\r\n`);
      };
      socket.on("connect", ask);
      socket.on("error", reject);
      socket.on("data", (chunk: Buffer) => {
        if (missing === 0) {
          const end = chunk.indexOf("\r\n\r\n");
          const headers = chunk.toString("latin1", 0, end);
          if (!headers.startsWith("HTTP/1.1 200"))
            return reject(new Error(headers.split("\r\n", 1)[0]));
          missing = Number(/content-length: (\d+)/i.exec(headers)?.[1]) - (chunk.length - end - 4);
        } else {
          missing -= chunk.length;
        }
        if (missing === 0) {
          pages++;
          ask();
        }
      });
    });
  await Promise.all(Array.from({ length: options.concurrency }, one));
  return pages;
}
