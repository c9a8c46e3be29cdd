import type { Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeCertificates, startRawReceiver, startScriptedDns } from "#testing";
import type { KeyAndCertificate, RawReceiver } from "#testing";
import { createEgress } from "./egress.ts";
import type { EgressOutcome } from "./egress.ts";

const certificates = makeCertificates();
const { authority } = certificates;
let addresses: string[] = [];
const dns = await startScriptedDns(({ type }) => (type === "A" ? addresses : []));
const egress = createEgress({
  allowPrivate: true,
  dnsServers: [dns.server],
  trustedCertificates: authority.cert,
});
afterAll(() => {
  dns.close();
  certificates.remove();
});

let receiver: RawReceiver | undefined;
beforeEach(() => {
  addresses = ["127.0.0.1"];
});
afterEach(() => {
  vi.unstubAllEnvs();
  receiver?.close();
});

function thanks(socket: Socket): void {
  socket.write("HTTP/1.1 204 \r\n\r\n");
}

async function post(tls: TlsOptions, host = "receiver.test"): Promise<EgressOutcome> {
  receiver = await startRawReceiver(thanks, { tls });
  const url = `https://${host}:${receiver.port}/`;
  return egress.post({ url, headers: {}, body: Buffer.from("{}"), deadlineMs: 2_000 });
}

it("asks for the name it was given, though it dials an address", async () => {
  let askedFor: string | undefined;
  const SNICallback: TlsOptions["SNICallback"] = (name, done) => {
    askedFor = name;
    done(null);
  };
  const outcome = await post({ ...certificates.issue(["DNS:receiver.test"]), SNICallback });
  expect(outcome).toMatchObject({ kind: "answered", status: 204 });
  expect(askedFor).toBe("receiver.test");
  expect(receiver?.requests[0]?.head).toContain(`host: receiver.test:${receiver?.port}`);
});

it("takes an address in place of a name when the certificate is for it", async () => {
  const certificate = certificates.issue(["IP:127.0.0.1"]);
  expect(await post(certificate, "127.0.0.1")).toMatchObject({ kind: "answered" });
  expect(await post(certificate)).toMatchObject({ why: "tls_failed" });
});

// W6
describe("TLS fails, and nothing is sent,", () => {
  it.each<[string, KeyAndCertificate, string]>([
    ["an expired", certificates.issue(["DNS:receiver.test"], -1), "CERT_HAS_EXPIRED"],
    [
      "a self-signed",
      certificates.selfSigned(["DNS:receiver.test"]),
      "DEPTH_ZERO_SELF_SIGNED_CERT",
    ],
    ["another's", certificates.issue(["DNS:other.test"]), "ERR_TLS_CERT_ALTNAME_INVALID"],
  ])("with %s certificate", async (_name, certificate, detail) => {
    expect(await post(certificate)).toMatchObject({ kind: "failed", why: "tls_failed", detail });
    expect(receiver?.requests).toEqual([]);
  });

  it("even where the environment switches verification off", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    expect(await post(certificates.selfSigned(["DNS:receiver.test"]))).toMatchObject({
      why: "tls_failed",
    });
  });

  it("with TLS 1.0", async () => {
    const outcome = await post({
      ...certificates.issue(["DNS:receiver.test"]),
      minVersion: "TLSv1",
      maxVersion: "TLSv1",
      ciphers: "DEFAULT@SECLEVEL=0",
    });
    expect(outcome).toMatchObject({ kind: "failed", why: "tls_failed" });
  });

  it("with a receiver that speaks plain HTTP", async () => {
    receiver = await startRawReceiver(() => {}, {
      onConnection: (socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"),
    });
    const url = `https://receiver.test:${receiver.port}/`;
    const outcome = await egress.post({ url, headers: {}, body: Buffer.from("{}") });
    expect(outcome).toMatchObject({ kind: "failed", why: "tls_failed" });
  });

  it("with a receiver that resets during the handshake", async () => {
    receiver = await startRawReceiver(() => {}, {
      onConnection: (socket) => socket.once("data", () => socket.resetAndDestroy()),
    });
    const url = `https://receiver.test:${receiver.port}/`;
    const outcome = await egress.post({ url, headers: {}, body: Buffer.from("{}") });
    expect(outcome).toMatchObject({ kind: "failed", why: "tls_failed" });
  });
});

// W6
it("does not wait beyond the deadline for a handshake that stalls", async () => {
  receiver = await startRawReceiver(() => {});
  const url = `https://receiver.test:${receiver.port}/`;
  const outcome = await egress.post({ url, headers: {}, body: Buffer.from("{}"), deadlineMs: 300 });
  expect(outcome).toMatchObject({ kind: "failed", why: "timed_out", detail: "while connecting" });
});

it("leaves an address that stalls for the next one of the name, in time", async () => {
  addresses = ["127.0.0.2", "127.0.0.1"];
  const certificate = certificates.issue(["DNS:receiver.test"]);
  receiver = await startRawReceiver(thanks, { tls: certificate });
  const stalling = await startRawReceiver(() => {}, { host: "127.0.0.2", port: receiver.port });
  const url = `https://receiver.test:${receiver.port}/`;
  const outcome = await egress.post({ url, headers: {}, body: Buffer.from("{}") });
  stalling.close();
  expect(outcome).toMatchObject({ kind: "answered", status: 204 });
});
