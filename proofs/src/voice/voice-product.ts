import { startSpeech } from "@svc/rehearsal";
import type { RehearsalSpeech, SpeechOptions } from "@svc/rehearsal";
import { speechAt } from "@svc/server/testing";
import { openWholeProduct } from "../product/whole-product.ts";
import type { WholeProduct } from "../product/whole-product.ts";

/** The whole product with a stand-in for the vendors of speech. */
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

/** The same product through another process of the service, with a stand-in for speech of its own. */
export async function addVoiceProcess(
  onEnd: OnEnd,
  product: WholeProduct,
  options: SpeechOptions,
  settings: Record<string, string> = {},
): Promise<VoiceProduct> {
  const speech = await startSpeech(options);
  onEnd(() => speech.close());
  const server = await product.serve({ ...speechAt(speech.url), ...settings });
  return { ...product, server, speech };
}
