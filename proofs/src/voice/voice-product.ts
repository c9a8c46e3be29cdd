import { startSpeech } from "@svc/rehearsal";
import type { RehearsalSpeech, SpeechOptions } from "@svc/rehearsal";
import { speechAt } from "@svc/server/testing";
import { openWholeProduct } from "../product/whole-product.ts";
import type { WholeProduct } from "../product/whole-product.ts";

/** The whole product, which hears and speaks by a stand-in. */
export interface VoiceProduct extends WholeProduct {
  speech: RehearsalSpeech;
}

type OnEnd = (clean: () => unknown) => void;

export async function openVoiceProduct(
  onEnd: OnEnd,
  options: SpeechOptions,
  settings: Record<string, string> = {},
): Promise<VoiceProduct> {
  const speech = await startSpeech(options);
  onEnd(() => speech.close());
  const product = await openWholeProduct(onEnd, { ...speechAt(speech.url), ...settings });
  return { ...product, speech };
}

/** The same product through another process of the service, with other ears and another voice. */
export async function addVoiceProcess(
  onEnd: OnEnd,
  product: WholeProduct,
  options: SpeechOptions,
  settings: Record<string, string> = {},
): Promise<VoiceProduct> {
  const speech = await startSpeech(options);
  onEnd(() => speech.close());
  const server = await product.stage.startServer({
    SVC_ROLE: "all",
    SVC_MODEL_URL: product.model.baseUrl,
    SVC_EVALUATION_MODEL: "rehearsal",
    SVC_WEBHOOK_PLAIN_HTTP: "on",
    SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
    SVC_SHUTDOWN_SECS: "1",
    ...speechAt(speech.url),
    ...settings,
  });
  return { ...product, server, speech };
}
