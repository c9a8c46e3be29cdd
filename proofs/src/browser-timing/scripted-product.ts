import type { SpeechOptions } from "@svc/rehearsal";
import { changeAccount } from "@svc/server/testing";
import { startScriptedModel } from "../voice-timing/scripted-model.ts";
import { openVoiceProduct } from "../voice/voice-product.ts";
import type { VoiceProduct } from "../voice/voice-product.ts";

/** The whole product with a model whose every answer is known beforehand, for as many visitors as want it. */
export async function openScriptedProduct(
  onEnd: (clean: () => unknown) => void,
  { reply, ...speech }: SpeechOptions & { reply: () => string },
): Promise<VoiceProduct> {
  const model = await startScriptedModel({ reply });
  onEnd(() => model.close());
  const product = await openVoiceProduct(onEnd, speech, { SVC_MODEL_URL: model.baseUrl });
  await changeAccount(product.stage.database.db, product.customer, {
    limits: {
      starts_per_minute_per_address: "none",
      at_once_per_address: "none",
      at_once_per_agent: "none",
    },
  });
  return product;
}
