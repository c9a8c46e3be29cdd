import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  eventBody,
  post,
  RawConnection,
  receiverUnderTest,
  SECRET,
} from "./receiver-under-test.ts";
import type { View, WebhookReceiver } from "./webhook-receiver.ts";

async function get<T>({ url }: WebhookReceiver, path: string): Promise<T> {
  return (await (await fetch(`${url}/rehearsal/${path}`)).json()) as T;
}

function put({ url }: WebhookReceiver, path: string, body: string): Promise<Response> {
  return fetch(`${url}/rehearsal/${path}`, { method: "PUT", body });
}

describe("a webhook", () => {
  it("is answered with 204 and written down", async () => {
    const receiver = await receiverUnderTest();
    const before = Date.now();
    expect((await post(receiver)).status).toBe(204);
    const [request] = receiver.requests();
    expect(request).toEqual({
      number: 1,
      atMs: expect.closeTo(before, -3) as number,
      path: "/hook",
      webhookId: "evt_1",
      attempt: 1,
      bytes: eventBody().length,
      bodySha256: hash("sha256", eventBody()),
      signatures: { svc: "valid", standard: "valid", secret: 1 },
      sessionId: "019cadd4-569c-7d3a-9f52-3c1b6a0e4d01",
      evaluatedAt: "2026-03-02T09:19:02.417Z",
      status: 204,
      tookMs: expect.any(Number) as number,
    });
    const { headers, body } = receiver.content(1)!;
    expect(headers).toMatchObject({ "webhook-id": "evt_1" });
    expect(body?.toString()).toBe(eventBody());
  });

  it("is told from its repetitions, by path", async () => {
    const receiver = await receiverUnderTest();
    await post(receiver, { id: "evt_1" });
    await post(receiver, { id: "evt_2" });
    await post(receiver, { id: "evt_1", path: "/other" });
    await post(receiver, { id: "evt_1" });
    const requests = receiver.requests();
    expect(requests.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 2]);
    expect(requests[3]!.gapMs).toBeCloseTo(requests[3]!.atMs - requests[0]!.atMs, 5);
    expect(requests[1]).not.toHaveProperty("gapMs");
  });

  it("may hold anything", async () => {
    const receiver = await receiverUnderTest();
    for (const body of ["", "{", "null", '{"event_type":"x"}', '{"data":{"id":7}}', "\u0000"]) {
      expect((await post(receiver, { body })).status).toBe(204);
    }
    expect(receiver.requests().every(({ sessionId }) => sessionId === undefined)).toBe(true);
    expect(receiver.counts().signatures.svc).toEqual({ valid: 6 });
  });

  it("that is cut off in its body is seen, and not judged", async () => {
    const receiver = await receiverUnderTest();
    const connection = RawConnection.open(receiver.url);
    connection.socket.write("POST /hook HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nhalf");
    await expect.poll(() => receiver.counts().open).toBe(1);
    connection.socket.destroy();
    await expect.poll(() => receiver.counts()).toMatchObject({ open: 0, statuses: { none: 1 } });
    expect(receiver.requests()[0]).not.toHaveProperty("signatures");
  });
});

it("counts how many were there at once, by path", async () => {
  const receiver = await receiverUnderTest({
    faults: [{ kind: "late", afterMs: 200, path: "/slow" }],
  });
  const slow = Array.from({ length: 5 }, (_, index) =>
    post(receiver, { path: "/slow", id: `evt_${index}` }),
  );
  await expect.poll(() => receiver.counts().paths["/slow"]?.open).toBe(5);
  await post(receiver, { path: "/quick" });
  await Promise.all(slow);
  expect(receiver.counts()).toMatchObject({
    total: 6,
    open: 0,
    mostOpen: 6,
    paths: { "/slow": { total: 5, mostOpen: 5 }, "/quick": { total: 1, mostOpen: 1 } },
    statuses: { 204: 6 },
    faults: { late: 5 },
  });
});

it("keeps 500 requests whole, and many more in short", async () => {
  const receiver = await receiverUnderTest();
  for (let number = 1; number <= 510; number++) await post(receiver, { id: `evt_${number}` });
  expect(receiver.requests()).toHaveLength(510);
  expect(receiver.content(10)).toBeUndefined();
  expect(receiver.content(11)).toBeDefined();
});

describe("over HTTP", () => {
  it("the log comes in pages", async () => {
    const receiver = await receiverUnderTest();
    for (const id of ["a", "b", "c", "d", "e"]) await post(receiver, { id });
    const idsAt = async (query: string) => {
      const path = `requests?${query}`;
      const { requests } = await get<{ requests: { webhookId: string }[] }>(receiver, path);
      return requests.map(({ webhookId }) => webhookId).join("");
    };
    expect(await idsAt("")).toBe("abcde");
    expect(await idsAt("after=0&limit=2")).toBe("ab");
    expect(await idsAt("after=2&limit=2")).toBe("cd");
    expect(await idsAt("after=9")).toBe("");
    expect((await fetch(`${receiver.url}/rehearsal/requests?after=x`)).status).toBe(400);
  });

  it("faults are set, or refused in words", async () => {
    const receiver = await receiverUnderTest();
    const set = await put(receiver, "faults", '{"faults":[{"kind":"status","status":410}]}');
    expect(set.status).toBe(200);
    expect((await post(receiver)).status).toBe(410);
    for (const [body, why] of [
      ['{"faults":[{"kind":"status"}]}', "faults[0]: status needs status"],
      ['{"faults":[{"kind":"slow"}]}', "faults[0].kind: expected one of"],
      ['{"faults":[{"kind":"close","share":2}]}', "faults[0].share"],
      ['{"faults":[{"kind":"tls_stall","path":"/"}]}', "before the path is known"],
      ["{", "JSON"],
    ] as const) {
      const refused = await put(receiver, "faults", body);
      expect(refused.status).toBe(400);
      expect(((await refused.json()) as { error: string }).error).toContain(why);
    }
    expect((await post(receiver)).status).toBe(410);
  });

  it("secrets are replaced and added, and never told", async () => {
    const receiver = await receiverUnderTest({ secrets: [] });
    await post(receiver);
    await put(receiver, "secrets", JSON.stringify({ secrets: ["whsec_b3RoZXI="] }));
    await post(receiver);
    const body = JSON.stringify({ secret: SECRET });
    await fetch(`${receiver.url}/rehearsal/secrets`, { method: "POST", body });
    await post(receiver);
    expect(receiver.requests().map(({ signatures }) => signatures?.svc)).toEqual([
      "unchecked",
      "wrong",
      "valid",
    ]);
    const view = await get<View>(receiver, "view");
    expect(view.secrets).toBe(2);
    expect(JSON.stringify(view)).not.toContain(SECRET);
  });

  it("nothing else is there", async () => {
    const { url } = await receiverUnderTest();
    for (const path of ["/hook", "/rehearsal", "/page.ts", "/../fault.ts", "/constructor"]) {
      expect((await fetch(`${url}${path}`)).status).toBe(404);
    }
    expect((await fetch(`${url}/rehearsal/x`, { method: "POST" })).status).toBe(404);
  });
});

describe("the page", () => {
  it("gets the newest first, with what their events say", async () => {
    const receiver = await receiverUnderTest();
    await post(receiver, { id: "evt_1" });
    await post(receiver, { id: "evt_2", body: "not JSON" });
    const view = await get<View>(receiver, "view?most=50");
    expect(view.requests.map(({ webhookId }) => webhookId)).toEqual(["evt_2", "evt_1"]);
    expect(view.requests[0]!.event).toEqual({ problem: "the body is not JSON" });
    expect(view.requests[1]!.event).toMatchObject({
      status: "processed",
      qualification: "qualified",
    });
  });

  it("is whole by itself, and may run nothing but its own scripts", async () => {
    const { url } = await receiverUnderTest();
    const response = await fetch(url);
    const files = ["/webhook-receiver/page.js", "/page/stand-in.js", "/page/stand-in.css"];
    const [page, ...others] = await Promise.all([
      response.text(),
      ...files.map(async (file) => (await fetch(`${url}${file}`)).text()),
    ]);
    expect(others.join()).not.toContain("Nothing answers");
    for (const text of [page, ...others]) {
      expect(text).not.toMatch(/(src|href)="(https?:)?\/\/|@import|url\(|innerHTML|insertAdjacent/);
    }
    expect(page).not.toMatch(/<script>| on[a-z]+=/);
    const policy = response.headers.get("content-security-policy")!;
    expect(policy.split("; ")).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'"]),
    );
  });

  // Else a posted script would be one of the page's own.
  it("serves nothing that came as a script", async () => {
    const { url } = await receiverUnderTest();
    await fetch(`${url}/hook`, { method: "POST", body: "alert(1)" });
    for (const path of ["requests", "content?number=1", "view"]) {
      const { headers } = await fetch(`${url}/rehearsal/${path}`);
      expect(headers.get("content-type")).toMatch(/^application\/json/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });
});

it("stops at once, whatever is still open", async () => {
  const receiver = await receiverUnderTest({ faults: [{ kind: "silent" }] });
  const connection = RawConnection.open(receiver.url);
  connection.send();
  await expect.poll(() => receiver.counts().open).toBe(1);
  await receiver.close();
  await expect.poll(() => connection.ended).toBeDefined();
});
