import { createHmac } from "node:crypto";
import { createEgress, systemClock } from "#platform";
import type { Egress, EgressOptions, EgressOutcome } from "#platform";
import { makeCertificates, startEventReceiver, startRawReceiver, startScriptedDns } from "#testing";
import type { EventAnswer, EventReceiver, ReceivedEvent } from "#testing";
import { SessionEvaluatedEvent } from "@svc/contract/schemas";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { examineReceiver } from "./receiver-doctor.ts";
import type { ReceiverFinding } from "./receiver-doctor.ts";

const SECRET = "whsec_YSBzZWNyZXQgb2YgdGhlIGZpeHR1cmVzLCBubyBtb3Jl";
const LOCAL = { allowPlainHttp: true, allowPrivate: true };

async function examine(
  url: string,
  { egress, rules = LOCAL }: { egress?: Pick<Egress, "post">; rules?: EgressOptions } = {},
): Promise<ReceiverFinding[]> {
  const through = egress ?? createEgress(rules);
  return examineReceiver({ url, secrets: [SECRET] }, { egress: through, clock: systemClock });
}

async function receive(answer: (event: ReceivedEvent) => EventAnswer): Promise<EventReceiver> {
  const receiver = await startEventReceiver(answer);
  onTestFinished(receiver.close);
  return receiver;
}

const isGenuine = ({ headers, body }: ReceivedEvent): boolean =>
  headers["x-webhook-signature"] === createHmac("sha256", SECRET).update(body).digest("hex");
const verifying = (event: ReceivedEvent): EventAnswer => (isGenuine(event) ? 204 : 401);

const states = (findings: ReceiverFinding[]): Record<string, string> =>
  Object.fromEntries(findings.map(({ name, state }) => [name, state]));
const find = (findings: ReceiverFinding[], name: string): ReceiverFinding =>
  findings.find((one) => one.name === name)!;

describe("a receiver over HTTP", () => {
  it("that does everything right has only its address to change", async () => {
    const receiver = await receive(verifying);
    const findings = await examine(receiver.url);
    expect(states(findings)).toEqual({
      address: "warn",
      answer: "ok",
      certificate: "skip",
      "wrong signature": "ok",
      "no signature": "ok",
      duplicate: "ok",
      "evaluated again": "ok",
      "raw body": "ok",
      "large body": "ok",
      speed: "ok",
    });
    expect(findings.filter(({ cure }) => cure !== undefined)).toEqual([]);
  });

  it("gets events that fit the contract, of one session that says it is a test", async () => {
    const receiver = await receive(verifying);
    await examine(receiver.url);
    const events = receiver.received.map(({ body }) =>
      SessionEvaluatedEvent.parse(JSON.parse(body.toString("utf8"))),
    );
    expect(new Set(events.map(({ data }) => data.id)).size).toBe(1);
    for (const { data } of events) {
      expect(data.metadata).toMatchObject({ svc_webhooks_test: "true" });
    }
    expect(Math.max(...receiver.received.map(({ body }) => body.length))).toBeGreaterThan(500_000);
    const [first, , , again] = receiver.received;
    expect(again!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    await examine(receiver.url);
    const later: unknown = JSON.parse(receiver.received.at(-1)!.body.toString("utf8"));
    expect(SessionEvaluatedEvent.parse(later).data.id).not.toBe(events[0]!.data.id);
  });

  it("that checks no signature is warned, not failed: checking is its choice", async () => {
    const receiver = await receive(() => 200);
    const findings = await examine(receiver.url);
    expect(states(findings)).toMatchObject({ "wrong signature": "warn", "no signature": "warn" });
    expect(find(findings, "no signature")).toMatchObject({ cure: "verify" });
  });

  it("that checks a signature only where there is one is found out", async () => {
    const receiver = await receive((event) =>
      event.headers["x-webhook-signature"] === undefined ? 200 : verifying(event),
    );
    expect(states(await examine(receiver.url))).toMatchObject({
      "wrong signature": "ok",
      "no signature": "warn",
    });
  });

  it("that signs what it has parsed fails on bytes that change by it", async () => {
    const receiver = await receive((event) => {
      const body = Buffer.from(JSON.stringify(JSON.parse(event.body.toString("utf8"))));
      return verifying({ ...event, body });
    });
    const findings = await examine(receiver.url);
    expect(states(findings)).toMatchObject({ answer: "ok", "raw body": "fail" });
    expect(find(findings, "raw body")).toMatchObject({ cure: "raw_body" });
  });

  it("that takes each session once fails on what comes again", async () => {
    const known = new Set<string>();
    const receiver = await receive((event) => {
      if (!isGenuine(event)) return 401;
      const { data } = SessionEvaluatedEvent.parse(JSON.parse(event.body.toString("utf8")));
      if (known.has(data.id)) return { status: 409, body: "duplicate key value" };
      known.add(data.id);
      return 201;
    });
    const findings = await examine(receiver.url);
    expect(states(findings)).toMatchObject({ duplicate: "fail", "evaluated again": "fail" });
    expect(find(findings, "duplicate")).toMatchObject({
      says: expect.stringContaining('409 "duplicate key value"'),
      cure: "store_by_id",
    });
  });

  it("that takes no large body is told how much to take", async () => {
    const receiver = await receive((event) =>
      event.body.length > 100_000 ? 413 : verifying(event),
    );
    expect(find(await examine(receiver.url), "large body")).toMatchObject({
      state: "fail",
      cure: "larger_body",
      fix: expect.stringContaining("5 MB"),
    });
  });
});

describe("a receiver that does not take a genuine event", () => {
  it.each<[string, EventAnswer, string, string | undefined]>([
    [
      "redirects",
      { status: 301, headers: { location: "https://a.example/x" } },
      "https://a.example/x",
      undefined,
    ],
    ["refuses the signature", 401, "the signature is genuine", "verify"],
    [
      "is elsewhere",
      { status: 404, body: "<h1>Not\nfound</h1>" },
      '404 "<h1>Not found</h1>"',
      undefined,
    ],
    ["breaks", 500, "it answers 500", undefined],
  ])("because it %s is told so, and nothing more is sent", async (_name, answer, says, cure) => {
    const receiver = await receive(() => answer);
    const findings = await examine(receiver.url);
    expect(find(findings, "answer")).toMatchObject({
      state: "fail",
      says: expect.stringContaining(says),
      fix: expect.any(String),
    });
    expect(find(findings, "answer").cure).toBe(cure);
    expect(find(findings, "duplicate")).toMatchObject({ state: "skip" });
    expect(receiver.received).toHaveLength(1);
  });

  it("because nobody listens there is told so", async () => {
    const { url, close } = await startEventReceiver();
    close();
    expect(find(await examine(url), "answer").says).toContain("ECONNREFUSED");
  });

  it("because its name leads inside is told how to allow that", async () => {
    const dns = await startScriptedDns(({ type }) => (type === "A" ? ["10.0.0.7"] : []));
    onTestFinished(dns.close);
    const findings = await examine("https://crm.test/", { rules: { dnsServers: [dns.server] } });
    expect(find(findings, "answer")).toMatchObject({
      says: expect.stringContaining("10.0.0.7"),
      fix: expect.stringContaining("SVC_WEBHOOK_PRIVATE_ADDRESSES"),
    });
  });
});

describe("a receiver over TLS", () => {
  const certificates = makeCertificates();
  afterAll(() => certificates.remove());

  async function examineTls(
    certificate: { key: string; cert: string },
    trusted = certificates.authority.cert,
  ): Promise<ReceiverFinding[]> {
    const dns = await startScriptedDns(({ type }) => (type === "A" ? ["127.0.0.1"] : []));
    const receiver = await startRawReceiver((socket) => socket.write("HTTP/1.1 204 \r\n\r\n"), {
      tls: certificate,
    });
    onTestFinished(() => {
      dns.close();
      receiver.close();
    });
    return examine(`https://receiver.test:${receiver.port}/`, {
      rules: { allowPrivate: true, dnsServers: [dns.server], trustedCertificates: trusted },
    });
  }

  it("has a certificate that holds for a while", async () => {
    const findings = await examineTls(certificates.issue(["DNS:receiver.test"], 60));
    expect(states(findings)).toMatchObject({ address: "ok", answer: "ok", certificate: "ok" });
  });

  it("is warned when its certificate ends soon", async () => {
    const findings = await examineTls(certificates.issue(["DNS:receiver.test"], 5));
    expect(find(findings, "certificate")).toMatchObject({
      state: "warn",
      says: expect.stringMatching(/in [45] days$/),
    });
  });

  it.each([
    ["has expired", () => certificates.issue(["DNS:receiver.test"], -1), "has expired"],
    ["is another's", () => certificates.issue(["DNS:other.test"]), "another host name"],
    ["is its own", () => certificates.selfSigned(["DNS:receiver.test"]), "nobody that is publicly"],
  ])("fails when its certificate %s", async (_name, make, says) => {
    const findings = await examineTls(make());
    expect(find(findings, "answer")).toMatchObject({
      state: "fail",
      says: expect.stringContaining(says),
    });
  });

  it("fails when its chain does not lead to an authority", async () => {
    const findings = await examineTls(
      certificates.issue(["DNS:receiver.test"]),
      certificates.selfSigned(["DNS:authority.test"]).cert,
    );
    expect(find(findings, "answer").fix).toContain("fullchain.pem");
  });

  it("fails when it speaks plain HTTP", async () => {
    const receiver = await startRawReceiver(() => {}, {
      onConnection: (socket) => socket.write("HTTP/1.1 400 \r\n\r\n"),
    });
    onTestFinished(receiver.close);
    const rules = { allowPrivate: true };
    const findings = await examine(`https://127.0.0.1:${receiver.port}/`, { rules });
    expect(find(findings, "answer").says).toBe("it speaks plain HTTP at this port");
  });
});

describe("what came back", () => {
  /** Gives each outcome once, then the last one again. */
  function scripted(...outcomes: Partial<EgressOutcome>[]): Pick<Egress, "post"> {
    const rest = [...outcomes];
    const post = async (): Promise<EgressOutcome> => {
      const next = rest.length > 1 ? rest.shift() : rest[0];
      return { tookMs: 1, headers: {}, body: Buffer.alloc(0), ...next } as EgressOutcome;
    };
    return { post };
  }
  const taken = { kind: "answered", status: 204 } as const;

  it("more than three seconds later is slow", async () => {
    const egress = scripted(taken, taken, taken, { ...taken, tookMs: 3_400 }, taken);
    expect(find(await examine("https://a.example/", { egress }), "speed")).toMatchObject({
      state: "warn",
      says: "the slowest of 7 answers took 3,400 ms",
      cure: "answer_first",
    });
  });

  it("never is a failure of that request alone", async () => {
    const lost = { kind: "failed", why: "timed_out", detail: "while waiting" } as const;
    const egress = scripted(taken, taken, taken, lost, taken);
    expect(find(await examine("https://a.example/", { egress }), "duplicate")).toMatchObject({
      state: "fail",
      says: expect.stringContaining("did not answer within 10 s"),
      cure: "answer_first",
    });
  });

  it.each([
    "bad_address",
    "forbidden_address",
    "name_not_found",
    "dns_failed",
    "connect_failed",
    "tls_failed",
    "connection_lost",
    "bad_answer",
    "timed_out",
    "aborted",
    "local_fault",
  ])("%s is told in words, with what to do", async (why) => {
    const egress = scripted({ kind: "failed", why, detail: "EXAMPLE" } as Partial<EgressOutcome>);
    const { says, fix } = find(await examine("https://a.example/", { egress }), "answer");
    expect(says).toMatch(/^[^.]+$/);
    expect(fix).toMatch(/^[A-Z].*\.$/);
  });
});
