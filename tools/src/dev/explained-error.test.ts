import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../ports.ts";
import { checkPort, explain } from "./explained-error.ts";

const purpose = { what: "the server", flag: "--port" };

test("a taken port is explained: what, why, what to do", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const trouble = await checkPort(port, purpose).catch(explain);
  expect(trouble).toContain(`Error: Port ${port}, meant for the server, is taken.`);
  expect(trouble).toContain(`Why:   Process ${process.pid} listens on it`);
  expect(trouble).toContain("npm run dev -- --port");
});

test("a free port is left free", async () => {
  const port = await freePort();
  await checkPort(port, purpose);
  await checkPort(port, purpose);
});
