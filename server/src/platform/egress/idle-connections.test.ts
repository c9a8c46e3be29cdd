import { Socket } from "node:net";
import { expect, it } from "vitest";
import { IdleConnections } from "./idle-connections.ts";
import type { IdleConnection } from "./idle-connections.ts";

function connection(key: string): IdleConnection {
  const socket = new Socket();
  return { key, socket, close: () => void socket.destroy() };
}

it("hands out the one used last, each once", () => {
  const idle = new IdleConnections(10);
  const [first, second, other] = [connection("a"), connection("a"), connection("b")];
  for (const one of [first, second, other]) idle.keep(one);
  expect(idle.take(["a"])).toBe(second);
  expect(idle.take(["x", "a"])).toBe(first);
  expect(idle.take(["a"])).toBeUndefined();
});

it("closes the oldest when there are too many", () => {
  const idle = new IdleConnections(2);
  const all = ["a", "b", "c", "d"].map(connection);
  for (const one of all) idle.keep(one);
  expect(all.map(({ socket }) => socket.destroyed)).toEqual([true, true, false, false]);
  expect(idle.take(["a", "b"])).toBeUndefined();
});

it("does not keep what is closed", () => {
  const idle = new IdleConnections(2);
  const one = connection("a");
  one.socket.destroy();
  idle.keep(one);
  expect(idle.take(["a"])).toBeUndefined();
});
