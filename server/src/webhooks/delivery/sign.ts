import { createHmac } from "node:crypto";

export interface Signed {
  /** Stays the same for every attempt and replay of one event. */
  eventId: string;
  body: Buffer;
  sentAtSecs: number;
  /** The endpoint's secret, then the one before while it is being rotated. */
  secrets: readonly string[];
}

/**
 * The headers of a delivery. `X-Webhook-Signature` is keyed with all bytes of the secret as it was
 * issued; the others are those of Standard Webhooks, keyed with what its base64 stands for.
 */
export function signatureHeaders({ eventId, body, sentAtSecs, secrets }: Signed): Headers {
  const id = webhookId(eventId);
  return {
    "x-webhook-signature": createHmac("sha256", secrets[0]!).update(body).digest("hex"),
    "webhook-id": id,
    "webhook-timestamp": String(sentAtSecs),
    "webhook-signature": secrets
      .map((secret) => standardSignature(secret, id, sentAtSecs, body))
      .join(" "),
  };
}

type Headers = Record<
  "x-webhook-signature" | "webhook-id" | "webhook-timestamp" | "webhook-signature",
  string
>;

/** An event's name for receivers. */
export function webhookId(eventId: string): string {
  return `evt_${eventId.replaceAll("-", "")}`;
}

/** One signature of Standard Webhooks. */
export function standardSignature(
  secret: string,
  id: string,
  sentAtSecs: number,
  body: Buffer,
): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${sentAtSecs}.`).update(body);
  return `v1,${signature.digest("base64")}`;
}
