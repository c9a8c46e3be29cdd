import { createSocket } from "node:dgram";
import type { Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { encodeReply, readQuery } from "./dns-message.ts";
import type { DnsFailure, DnsRecordType } from "./dns-message.ts";

/** A name server that answers as it is told, by UDP and by TCP. */
export interface ScriptedDns {
  /** As resolvers take it: `127.0.0.1:40123`. */
  server: string;
  questions: DnsQuestion[];
  close(): void;
}

export interface DnsQuestion {
  /** In lower case. */
  name: string;
  type: DnsRecordType;
  by: "udp" | "tcp";
}

/** Records of the type that was asked for, as zone files write them, or a way to fail. */
export type DnsAnswer = string[] | DnsFailure | "silence" | "garbage";

export async function startScriptedDns(
  answer: (question: DnsQuestion) => DnsAnswer,
  { host = "127.0.0.1", port = 0 }: { host?: string; port?: number } = {},
): Promise<ScriptedDns> {
  const questions: DnsQuestion[] = [];
  function reply(message: Buffer, by: DnsQuestion["by"]): Buffer | undefined {
    const query = readQuery(message);
    const { name, type } = query;
    if (type === undefined) return encodeReply(query, []);
    questions.push({ name, type, by });
    const said = answer({ name, type, by });
    if (said === "silence") return undefined;
    return said === "garbage" ? Buffer.from("no DNS") : encodeReply(query, said);
  }

  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    readFrames(socket, (message) => {
      const said = reply(message, "tcp");
      if (said !== undefined) socket.write(frame(said));
    });
  });
  const udp = await listenOnBoth(tcp, host, port);
  udp.on("message", (message, from) => {
    const said = reply(message, "udp");
    if (said !== undefined) udp.send(said, from.port, from.address);
  });

  return {
    server: `${host}:${udp.address().port}`,
    questions,
    close: () => {
      udp.close();
      tcp.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A port that is free for TCP may be some resolver's for UDP: then the next one is tried. */
async function listenOnBoth(tcp: Server, host: string, port: number): Promise<UdpSocket> {
  for (;;) {
    tcp.listen(port, host);
    await once(tcp, "listening");
    const udp = createSocket("udp4");
    udp.bind((tcp.address() as AddressInfo).port, host);
    try {
      await once(udp, "listening");
      return udp;
    } catch (error) {
      if (port !== 0) throw error;
      udp.close();
      tcp.close();
      await once(tcp, "close");
    }
  }
}

/** By TCP, the length of each message stands before it. */
function frame(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

function readFrames(socket: Socket, take: (message: Buffer) => void): void {
  let waiting = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= 2 && waiting.length >= 2 + waiting.readUInt16BE(0)) {
      const end = 2 + waiting.readUInt16BE(0);
      take(waiting.subarray(2, end));
      waiting = waiting.subarray(end);
    }
  });
}
