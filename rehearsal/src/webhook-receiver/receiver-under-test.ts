import { createHmac } from "node:crypto";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { onTestFinished } from "vitest";
import { startWebhookReceiver } from "./webhook-receiver.ts";
import type { WebhookReceiver, WebhookReceiverOptions } from "./webhook-receiver.ts";

export const SECRET = "whsec_c3ZjIHJlaGVhcnNhbCBzZWNyZXQgZm9yIHRlc3Rz";

/** A receiver that knows `SECRET`, closed when the test ends. */
export async function receiverUnderTest(
  options: WebhookReceiverOptions = {},
): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver({ secrets: [SECRET], ...options });
  onTestFinished(() => receiver.close());
  return receiver;
}

export function eventBody(session: object = {}): string {
  return JSON.stringify({
    event_type: "session.evaluated",
    timestamp: "2026-03-02T09:19:02.417Z",
    data: {
      id: "019cadd4-569c-7d3a-9f52-3c1b6a0e4d01",
      status: "processed",
      summary: "Ada asked for the price.",
      evaluation: { qualification: { status: "qualified" } },
      ...session,
    },
  });
}

export function signedHeaders(
  body: string,
  options: { id?: string; secret?: string; atSecs?: number } = {},
): Record<string, string> {
  const { id = "evt_1", secret = SECRET, atSecs = Math.floor(Date.now() / 1_000) } = options;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const standard = createHmac("sha256", key).update(`${id}.${atSecs}.${body}`).digest("base64");
  return {
    "x-webhook-signature": createHmac("sha256", secret).update(body).digest("hex"),
    "webhook-id": id,
    "webhook-timestamp": String(atSecs),
    "webhook-signature": `v1,${standard}`,
  };
}

/** Posts an event, signed, to a receiver that answers. */
export async function post(
  { url }: { url: string },
  options: { path?: string; id?: string; body?: string } = {},
): Promise<Response> {
  const { path = "/hook", id = "evt_1", body = eventBody() } = options;
  const headers = signedHeaders(body, { id });
  return fetch(`${url}${path}`, { method: "POST", body, headers, redirect: "manual" });
}

/** A connection on which one sees each byte, and how it ended. */
export class RawConnection {
  received: Buffer = Buffer.alloc(0);
  /** `FIN`, or the code of the error that ended it. */
  ended: string | undefined;
  readonly socket: Socket;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (bytes: Buffer) => {
      this.received = Buffer.concat([this.received, bytes]);
    });
    socket.on("end", () => (this.ended ??= "FIN"));
    socket.on("error", (error: NodeJS.ErrnoException) => (this.ended ??= error.code ?? ""));
    onTestFinished(() => void socket.destroy());
  }

  static open(url: string, authority?: string): RawConnection {
    const port = Number(new URL(url).port);
    return new RawConnection(
      url.startsWith("https:")
        ? connectTls({ port, host: "127.0.0.1", minVersion: "TLSv1.2", ca: authority })
        : connect(port, "127.0.0.1"),
    );
  }

  send(body: string = eventBody(), path = "/hook"): void {
    const length = Buffer.byteLength(body);
    this.socket.write(
      `POST ${path} HTTP/1.1\r\nhost: receiver\r\ncontent-length: ${length}\r\n\r\n${body}`,
    );
  }

  get text(): string {
    return this.received.toString("latin1");
  }
}
