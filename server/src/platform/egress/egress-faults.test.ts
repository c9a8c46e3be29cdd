import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { startRawReceiver, startScriptedDns } from "#testing";
import type { DnsAnswer, DnsQuestion, RawReceiver, ScriptedDns } from "#testing";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEgress } from "./egress.ts";
import type { Egress, EgressOptions, EgressOutcome } from "./egress.ts";

let receiver: RawReceiver;
let dns: ScriptedDns;

async function startReceiver(...options: Parameters<typeof startRawReceiver>): Promise<void> {
  receiver = await startRawReceiver(...options);
  onTestFinished(receiver.close);
}

async function startDns(answer: (question: DnsQuestion) => DnsAnswer): Promise<void> {
  dns = await startScriptedDns(answer);
  onTestFinished(dns.close);
}

function newEgress(options: EgressOptions = {}): Egress {
  const egress = createEgress({ allowPlainHttp: true, allowPrivate: true, ...options });
  return egress;
}

function postTo(url: string, options?: EgressOptions, body = "{}"): Promise<EgressOutcome> {
  const request = { url, headers: {}, body: Buffer.from(body), deadlineMs: 1_000 };
  return newEgress(options).post(request);
}

function thanks(socket: Socket): void {
  socket.write("HTTP/1.1 204 \r\n\r\n");
}

// W4
describe("a receiver that breaks off", () => {
  const big = "x".repeat(3_000_000);

  it.each<[string, (socket: Socket) => unknown, (socket: Socket) => unknown]>([
    ["resets at once", (socket) => socket.resetAndDestroy(), () => {}],
    ["closes at once", (socket) => socket.end(), () => {}],
    [
      "resets in the body",
      (socket) => socket.once("data", () => socket.resetAndDestroy()),
      () => {},
    ],
    ["closes in the body", (socket) => socket.once("data", () => socket.destroy()), () => {}],
    ["resets after the body", () => {}, (socket) => socket.resetAndDestroy()],
    ["closes after the body", () => {}, (socket) => socket.end()],
    ["closes in the status line", () => {}, (socket) => socket.end("HTTP/1.1 20")],
    ["closes in a header", () => {}, (socket) => socket.end("HTTP/1.1 200 OK\r\nx: y\r\n")],
  ])("and %s is a lost connection", async (_name, onConnection, answer) => {
    await startReceiver(answer, { onConnection });
    const outcome = await postTo(`http://127.0.0.1:${receiver.port}/`, {}, big);
    expect(outcome).toMatchObject({ kind: "failed", why: "connection_lost" });
  });

  it("and refuses connections is told so", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    expect(await postTo(`http://127.0.0.1:${port}/`)).toMatchObject({
      kind: "failed",
      why: "connect_failed",
      detail: "ECONNREFUSED",
    });
  });
});

// W4
describe("an answer that is not HTTP", () => {
  it.each([
    ["HTTP/0.9", "<html>hello</html>\n"],
    ["another protocol's greeting", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["a version of nothing", "HTTP/9.9 200 OK\r\n\r\n"],
    ["a status of nothing", "HTTP/1.1 2xx OK\r\n\r\n"],
    ["a megabyte of one header", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(1_000_000)}\r\n\r\n`],
    ["a megabyte of headers", `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(170_000)}\r\n`],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx"],
    [
      "a length and chunks",
      "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
  ])("%s is a bad answer", async (_name, answer) => {
    await startReceiver((socket) => socket.write(answer));
    const outcome = await postTo(`http://127.0.0.1:${receiver.port}/`);
    expect(outcome).toMatchObject({ kind: "failed", why: "bad_answer" });
  });

  it("may come before the request", async () => {
    await startReceiver(() => {}, {
      onConnection: (socket) => socket.write("220 mail.example ESMTP\r\n"),
    });
    const outcome = await postTo(`http://127.0.0.1:${receiver.port}/`);
    expect(outcome).toMatchObject({ kind: "failed", why: "bad_answer" });
  });
});

// W5
describe("DNS", () => {
  async function postByName(
    answer: DnsAnswer | ((type: string) => DnsAnswer),
    options: EgressOptions = {},
  ): Promise<EgressOutcome> {
    await startReceiver(thanks);
    await startDns(({ type }) => (typeof answer === "function" ? answer(type) : answer));
    const url = `http://receiver.test:${receiver.port}/`;
    return postTo(url, { dnsServers: [dns.server], ...options });
  }

  it.each<[DnsAnswer, string]>([
    ["nxdomain", "name_not_found"],
    [[], "name_not_found"],
    ["servfail", "dns_failed"],
    ["refused", "dns_failed"],
    ["garbage", "dns_failed"],
    ["silence", "timed_out"],
  ])("answering %j makes it %s", async (answer, why) => {
    expect(await postByName(answer)).toMatchObject({ kind: "failed", why });
    expect(receiver.connections()).toBe(0);
  });

  it("leads to the receiver, with the name it was asked for", async () => {
    const outcome = await postByName((type) => (type === "A" ? ["127.0.0.1"] : []));
    expect(outcome).toMatchObject({ kind: "answered", status: 204 });
    expect(receiver.requests[0]?.head).toContain(`host: receiver.test:${receiver.port}`);
    expect(dns.questions.toSorted((a, b) => a.type.localeCompare(b.type))).toMatchObject([
      { name: "receiver.test", type: "A" },
      { name: "receiver.test", type: "AAAA" },
    ]);
  });

  it("that fails for one kind of address does for the other", async () => {
    const outcome = await postByName((type) => (type === "A" ? ["127.0.0.1"] : "servfail"));
    expect(outcome).toMatchObject({ kind: "answered" });
  });

  it("that gives dead addresses first leads to the living one", async () => {
    const outcome = await postByName((type) => (type === "A" ? ["127.0.0.2", "127.0.0.1"] : []));
    expect(outcome).toMatchObject({ kind: "answered" });
  });

  it("silent for one tenant holds up no other", async () => {
    await startReceiver(thanks);
    await startDns(({ name, type }) =>
      name === "dead.test" ? "silence" : type === "A" ? ["127.0.0.1"] : [],
    );
    const egress = newEgress({ dnsServers: [dns.server] });
    const post = (name: string): Promise<EgressOutcome> =>
      egress.post({
        url: `http://${name}:${receiver.port}/`,
        headers: {},
        body: Buffer.from("{}"),
        deadlineMs: 1_500,
      });
    const dead = Array.from({ length: 60 }, () => post("dead.test"));
    const living = await Promise.all(Array.from({ length: 20 }, () => post("receiver.test")));
    expect(living.filter(({ kind }) => kind === "failed")).toEqual([]);
    expect(Math.max(...living.map(({ tookMs }) => tookMs))).toBeLessThan(1_000);
    for (const outcome of await Promise.all(dead)) {
      const detail = "while looking up the name";
      expect(outcome).toMatchObject({ kind: "failed", why: "timed_out", detail });
    }
  });

  // S11: mixed records, and names that mean this machine
  it.each<[string, string[], string[]]>([
    ["private", ["10.0.0.1"], []],
    ["this machine", ["127.0.0.1"], []],
    ["this machine by IPv6", [], ["::1"]],
    ["a public and a private one", ["93.184.216.34", "127.0.0.1"], []],
    ["a public one, and a private one of the other kind", ["93.184.216.34"], ["::1"]],
    ["an IPv4-mapped one", [], ["::ffff:7f00:1"]],
  ])("that leads to %s address leads nowhere", async (_name, a, aaaa) => {
    const records = (type: string): string[] => (type === "A" ? a : aaaa);
    expect(await postByName(records, { allowPrivate: false })).toMatchObject({
      kind: "failed",
      why: "forbidden_address",
    });
    expect(receiver.connections()).toBe(0);
  });

  it("is not asked for localhost", async () => {
    await startReceiver(thanks);
    await startDns(() => ["93.184.216.34"]);
    const url = `http://localhost.:${receiver.port}/`;
    expect(await postTo(url, { dnsServers: [dns.server] })).toMatchObject({ kind: "answered" });
    expect(dns.questions).toEqual([]);
  });
});

it("sends nothing to an address that is not allowed, or is none", async () => {
  await startReceiver(() => {});
  const at = `127.0.0.1:${receiver.port}`;
  expect(await postTo(`http://${at}/`, { allowPlainHttp: false })).toMatchObject({
    kind: "failed",
    why: "bad_address",
  });
  for (const url of [
    `http://${at}/`,
    `http://0x7f.1:${receiver.port}/`,
    `http://0:${receiver.port}/`,
  ]) {
    expect(await postTo(url, { allowPrivate: false })).toMatchObject({ why: "bad_address" });
  }
  expect(await postTo("nothing")).toMatchObject({ why: "bad_address" });
  expect(receiver.connections()).toBe(0);
});

it("calls a request that could never be sent a fault of ours", async () => {
  await startReceiver(() => {});
  const url = `http://127.0.0.1:${receiver.port}/`;
  const outcome = await newEgress().post({
    url,
    headers: { x: "a\r\nb: c" },
    body: Buffer.from(""),
  });
  expect(outcome).toMatchObject({ kind: "failed", why: "local_fault" });
});

const pieces = [
  "HTTP/1.1 200 OK\r\n",
  "HTTP/1.1 ",
  "HTTP/1.0 ",
  "200 OK",
  "204 ",
  "102 ",
  "100 ",
  "500 ",
  "content-length: 3",
  "content-length: 0",
  "transfer-encoding: chunked",
  "connection: close",
  "x: y",
  "\r\n",
  "\r\n\r\n",
  "\n",
  "abc",
  "3\r\nabc\r\n",
  "0\r\n\r\n",
  "ffffffffffffffff\r\n",
  "\0",
  "é",
];

// W4
it("names an outcome for whatever comes back, and goes on", async () => {
  let answer: string[] = [];
  let ending: "end" | "resetAndDestroy" | "none" = "end";
  const nonsense = await startRawReceiver((socket) => {
    for (const piece of answer) socket.write(piece);
    if (ending !== "none") socket[ending]();
  });
  onTestFinished(nonsense.close);
  const egress = createEgress({ allowPlainHttp: true, allowPrivate: true });
  const request = {
    url: `http://127.0.0.1:${nonsense.port}/`,
    headers: {},
    body: Buffer.from("{}"),
    deadlineMs: 100,
  };

  const answers = fc.array(fc.constantFrom(...pieces), { maxLength: 12 });
  const endings = fc.constantFrom("end", "resetAndDestroy", "none");
  await fc.assert(
    fc.asyncProperty(answers, endings, async (nextAnswer, nextEnding) => {
      answer = nextAnswer;
      ending = nextEnding;
      const outcome = await egress.post(request);
      const named = outcome.kind === "failed" ? outcome.why : outcome.kind;
      expect(["answered", "bad_answer", "connection_lost", "timed_out"]).toContain(named);
    }),
    { numRuns: 300 },
  );
});
