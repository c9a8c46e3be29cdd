import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "node:tls";
import { afterAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { RawConnection } from "./receiver-under-test.ts";
import { startWebhookReceiver } from "./webhook-receiver.ts";

const receiver = await startWebhookReceiver({ tls: { names: ["receiver.test"] } });
const { url, authority } = receiver.secure!;
afterAll(() => receiver.close());
beforeEach(() => receiver.setFaults([]));

it("takes webhooks over TLS, by every name that it has", async () => {
  const before = receiver.counts().total;
  for (const servername of ["receiver.test", "localhost"]) {
    const socket = connect({ port: Number(new URL(url).port), ca: authority, servername });
    onTestFinished(() => void socket.destroy());
    const answer = new Promise<string>((resolve, reject) => {
      socket.on("data", (bytes: Buffer) => resolve(bytes.toString())).on("error", reject);
    });
    socket.write("POST /secure HTTP/1.1\r\nhost: receiver.test\r\ncontent-length: 0\r\n\r\n");
    expect(await answer).toMatch(/^HTTP\/1\.1 204 /);
  }
  expect(receiver.requests(before)).toMatchObject([{ path: "/secure" }, { path: "/secure" }]);
});

// W6
it.each([
  ["tls_expired", /^CERT_HAS_EXPIRED$/],
  ["tls_self_signed", /^DEPTH_ZERO_SELF_SIGNED_CERT$/],
  ["tls_wrong_host", /^ERR_TLS_CERT_ALTNAME_INVALID$/],
  ["tls_1_0", /^(EPROTO|ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION)$/],
] as const)("%s fails the handshake, and no request comes", async (kind, code) => {
  const before = receiver.counts().total;
  receiver.setFaults([{ kind, times: 1 }]);
  const failed = RawConnection.open(url, authority);
  failed.send();
  await expect.poll(() => failed.ended).toMatch(code);
  const next = RawConnection.open(url, authority);
  next.send();
  await expect.poll(() => next.text).toMatch(/^HTTP\/1\.1 204 /);
  expect(receiver.counts().total).toBe(before + 1);
});

it("really speaks TLS 1.0 to those who still do", async () => {
  receiver.setFaults([{ kind: "tls_1_0" }]);
  const port = Number(new URL(url).port);
  const old = { minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  const socket = connect({ port, host: "127.0.0.1", ca: authority, ...old });
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  expect(socket.getProtocol()).toBe("TLSv1");
});

// W6
it("leaves a handshake unanswered", async () => {
  receiver.setFaults([{ kind: "tls_stall" }]);
  const connection = RawConnection.open(url, authority);
  connection.send();
  await delay(300);
  expect([connection.received.length, connection.ended]).toEqual([0, undefined]);
});

// W4
it("resets an encrypted connection too", async () => {
  receiver.setFaults([{ kind: "reset_after_body" }]);
  const connection = RawConnection.open(url, authority);
  connection.send();
  await expect.poll(() => connection.ended).toBe("ECONNRESET");
});

it("shows faults of TLS to nobody who comes in plain", async () => {
  receiver.setFaults([{ kind: "tls_stall" }]);
  const connection = RawConnection.open(receiver.url);
  connection.send();
  await expect.poll(() => connection.text).toMatch(/^HTTP\/1\.1 204 /);
});

it("has no such faults where there is no port for them", async () => {
  const plain = await startWebhookReceiver();
  onTestFinished(() => plain.close());
  const set = () => plain.setFaults([{ kind: "tls_expired" }]);
  expect(set).toThrow("faults[0]: was started without a port for TLS");
});
