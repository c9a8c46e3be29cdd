import { VoiceVisitor } from "@svc/server/testing";
import type { WholeProduct } from "../product/whole-product.ts";
import { startSession } from "../talk/start-session.ts";

/** Somebody who talks with the same product without a browser: what is left is the server's own. */
export async function enterPlainly({ server, agentId }: WholeProduct): Promise<VoiceVisitor> {
  const started = await startSession(server.url, { agentId, language: "en", mode: "voice" });
  const { session_id: id, ticket, live_url } = started;
  return VoiceVisitor.join(live_url, { id, ticket });
}
