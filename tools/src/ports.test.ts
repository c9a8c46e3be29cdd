import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { freePort, listening, portOwner } from "./ports.ts";

test("the process behind a taken port is found", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const owner = await portOwner((server.address() as AddressInfo).port);
  expect(owner?.pid).toBe(process.pid);
});

test("a free port belongs to nobody", async () => {
  expect(await portOwner(await freePort())).toBeUndefined();
});

test("a free port is none that an outgoing connection may take meanwhile", async () => {
  const range = await readFile("/proc/sys/net/ipv4/ip_local_port_range", "utf8").catch(
    () => "32768",
  );
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  expect(Math.max(...ports)).toBeLessThan(Number.parseInt(range, 10));
});

test("only sockets that listen count, and only on the very port", () => {
  const table = [
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
    "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1",
    "   1: 0100007F:1F90 0100007F:C001 01 00000000:00000000 00:00000000 00000000     0        0 222 1",
    "   2: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 333 1",
  ].join("\n");
  expect(listening(table, 8080)).toEqual(["socket:[111]"]);
});
