import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Session, SessionEvaluatedEvent } from "@svc/contract/types";
import type { WholeProduct } from "./whole-product.ts";

/** The event of a session as it came to the receiver, its signature checked as a customer would. */
export async function awaitWebhook(
  { receiver, secret }: WholeProduct,
  sessionId: string,
): Promise<SessionEvaluatedEvent> {
  for (let tries = 0; tries < 400; tries++) {
    const request = receiver.requests().find((one) => one.sessionId === sessionId);
    const content = request && receiver.content(request.number);
    if (content?.body !== undefined) {
      const signature = createHmac("sha256", secret).update(content.body).digest("hex");
      if (content.headers["x-webhook-signature"] !== signature) throw new Error("wrong signature");
      return JSON.parse(content.body.toString()) as SessionEvaluatedEvent;
    }
    await delay(100);
  }
  throw new Error(`no webhook of session ${sessionId}`);
}

/** The same session in the export. One that started before it and is not settled yet holds it back. */
export async function awaitExported(
  { server, customer }: WholeProduct,
  sessionId: string,
): Promise<Session> {
  const headers = { authorization: `Bearer ${customer.token}` };
  for (let tries = 0; tries < 400; tries++) {
    const response = await fetch(`${server.url}/v1/sessions.json`, { headers });
    const { items } = (await response.json()) as { items: Session[] };
    const found = items.find(({ id }) => id === sessionId);
    if (found !== undefined) return found;
    await delay(100);
  }
  throw new Error(`session ${sessionId} is not in the export`);
}
