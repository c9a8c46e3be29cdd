import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A line between browsers and the server that can be cut: nothing passes, and nobody is told. */
export interface CuttableLine {
  url: string;
  /** Where it leads; known once the server has started. */
  leadTo(url: string): void;
  /** `silent`: packets vanish. `refused`: connections break, and new ones are refused. */
  cut(how: "silent" | "refused"): void;
  mend(): void;
  close(): void;
}

export async function openLine(): Promise<CuttableLine> {
  let target = 0;
  let state: "whole" | "silent" | "refused" = "whole";
  const pairs = new Set<[Socket, Socket]>();
  const server = createServer((near) => {
    if (state === "refused") return void near.destroy();
    const far = connect(target, "127.0.0.1");
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (chunk) => {
        if (state === "whole") to.write(chunk);
      });
      from.on("error", () => {});
      from.on("close", () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const breakAll = (): void => {
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (url) => void (target = Number(new URL(url).port)),
    cut(how) {
      state = how;
      if (how === "refused") breakAll();
    },
    mend() {
      // What was lost in a silence is missing in the middle of a stream: no such stream can go on.
      if (state === "silent") breakAll();
      state = "whole";
    },
    close() {
      breakAll();
      server.close();
    },
  };
}
