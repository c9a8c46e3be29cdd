import { createHmac } from "node:crypto";

export interface Signed {
  /** The same for every attempt and replay of one event. */
  eventId: string;
  body: Buffer;
  sentAtSecs: number;
  /** The endpoint's secret, followed by those that sign beside it during a rotation. */
  secrets: readonly string[];
}

/**
 * The signature headers of a webhook delivery. The key of `X-Webhook-Signature` is the secret exactly as it was
 * issued; the other headers follow Standard Webhooks, whose key is the base64-decoded secret.
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

/** The id of an event for receivers. */
export function webhookId(eventId: string): string {
  return `evt_${eventId.replaceAll("-", "")}`;
}

/** A signature in the format of Standard Webhooks. */
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
