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
      let missing = 0;
      const take = (chunk: Buffer): void => {
        if (missing === 0) {
          const end = chunk.indexOf("\r\n\r\n");
          const headers = chunk.toString("latin1", 0, end);
          if (!headers.startsWith("HTTP/1.1 200"))
            return reject(new Error(headers.split("\r\n", 1)[0]));
          missing = Number(/content-length: (\d+)/i.exec(headers)?.[1]) - (chunk.length - end - 4);
        } else {
          missing -= chunk.length;
        }
        if (missing > 0) return;
        pages++;
        ask();
      };
      const socket = connect({
        host: hostname,
        port: Number(port),
        // One buffer for all that is read: a fresh one each time would be most of this client's cost.
        onread: {
          buffer: Buffer.alloc(262_144),
          callback: (length, buffer) => {
            take(Buffer.from(buffer.buffer, buffer.byteOffset, length));
            return true;
          },
        },
      });
      const ask = (): void => {
        if (performance.now() >= until) return void socket.end(resolve);
        socket.write(`GET ${options.path()} HTTP/1.1\r\nhost: ${hostname}\r\n${head}\r\n`);
      };
      socket.on("connect", ask);
      socket.on("error", reject);
    });
  await Promise.all(Array.from({ length: options.concurrency }, one));
  return pages;
}
