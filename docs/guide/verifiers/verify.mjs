import { createHmac, timingSafeEqual } from "node:crypto";

/** By X-Webhook-Signature. `rawBody` is a Buffer, `secrets` all that may be in use. */
export function verifySignature(rawBody, headers, secrets) {
  return secrets.some((secret) => {
    const expected = createHmac("sha256", secret).update(rawBody).digest("hex");
    return isSame(headers["x-webhook-signature"], expected);
  });
}

/** By the headers of Standard Webhooks, which also tell when it was sent. */
export function verifyStandard(rawBody, headers, secrets, nowSecs = Date.now() / 1000) {
  const { "webhook-id": id, "webhook-timestamp": sentAt, "webhook-signature": given } = headers;
  if (!(Math.abs(nowSecs - Number(sentAt)) <= 300)) return false;
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const signed = createHmac("sha256", key).update(`${id}.${sentAt}.`).update(rawBody);
    const expected = `v1,${signed.digest("base64")}`;
    return String(given)
      .split(" ")
      .some((one) => isSame(one, expected));
  });
}

function isSame(given, expected) {
  const [left, right] = [Buffer.from(given ?? ""), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
