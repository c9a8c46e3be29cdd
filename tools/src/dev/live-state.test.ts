import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { SessionCount } from "./live-state.ts";

/** An export of two sessions a page. */
async function exportOf(sessions: { id: string; status: string }[]): Promise<string> {
  const server = createServer((request, response) => {
    const from = Number(new URL(request.url!, "http://export").searchParams.get("cursor") ?? 0);
    const items = sessions.slice(from, from + 2);
    if (items.length > 0) {
      const next = `http://${request.headers.host}/v1/sessions.json?cursor=${from + items.length}`;
      response.setHeader("link", `<${next}>; rel="next"`);
    }
    response.end(JSON.stringify({ items }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("it counts every page, and later only what is new", async () => {
  const sessions = ["processed", "error", "processed", "abandoned", "processed"].map(
    (status, index) => ({ id: String(index), status }),
  );
  const count = new SessionCount(await exportOf(sessions), "svc_a");
  expect(await count.read()).toEqual({ processed: 3, abandoned: 1, error: 1 });
  sessions.push({ id: "5", status: "error" });
  expect(await count.read()).toEqual({ processed: 3, abandoned: 1, error: 2 });
});

test("readers at the same time count nothing twice", async () => {
  const sessions = ["0", "1", "2"].map((id) => ({ id, status: "processed" }));
  const count = new SessionCount(await exportOf(sessions), "svc_a");
  const both = await Promise.all([count.read(), count.read()]);
  expect(both.map(({ processed }) => processed)).toEqual([3, 3]);
});

test("a server that is away keeps the last count", async () => {
  const count = new SessionCount("http://127.0.0.1:9", "svc_a");
  expect(await count.read()).toEqual({ processed: 0, abandoned: 0, error: 0 });
});
