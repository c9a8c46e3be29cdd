import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A line between browsers and the server that can be cut: nothing passes, and nobody is told. */
export interface CuttableLine {
  url: string;
  /** Where it leads; known once the server has started. */
  leadTo(url: string): void;
  /** `silent`: packets vanish, for good on the sockets there are. `refused`: connections break, and new ones are refused. */
  cut(how: "silent" | "refused"): void;
  restore(): void;
  close(): void;
}

/** A connection through the line. */
interface Passage {
  near: Socket;
  far: Socket;
  isWebSocket: boolean;
  /** What has lost something in its middle passes nothing more. */
  isDead: boolean;
}

export async function openLine(): Promise<CuttableLine> {
  let target = 0;
  let state: "whole" | "silent" | "refused" = "whole";
  const passages = new Set<Passage>();
  const server = createServer((near) => {
    if (state === "refused") return void near.destroy();
    const far = connect(target, "127.0.0.1");
    const passage = { near, far, isWebSocket: false, isDead: state === "silent" };
    passages.add(passage);
    near.once("data", (chunk: Buffer) => {
      passage.isWebSocket = /^upgrade: websocket/im.test(chunk.toString("latin1"));
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (chunk) => {
        if (!passage.isDead) to.write(chunk);
      });
      from.on("error", () => {});
      from.on("close", () => {
        // Of a dead one neither side hears that the other has gone.
        if (!passage.isDead) to.destroy();
        if (near.destroyed && far.destroyed) passages.delete(passage);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const breakAll = (isMeant: (passage: Passage) => boolean = () => true): void => {
    for (const passage of passages) {
      if (!isMeant(passage)) continue;
      passage.near.destroy();
      passage.far.destroy();
    }
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (url) => void (target = Number(new URL(url).port)),
    cut(how) {
      state = how;
      if (how === "refused") breakAll();
      else for (const passage of passages) passage.isDead = true;
    },
    restore() {
      // A browser that asks for a file gives up by itself; a call has to find out that its socket is dead.
      breakAll(({ isDead, isWebSocket }) => isDead && !isWebSocket);
      state = "whole";
    },
    close() {
      breakAll();
      server.close();
    },
  };
}
