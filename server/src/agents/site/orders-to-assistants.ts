/** Removes zero-width characters and soft hyphens, which could hide an order from these patterns. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;

const MACHINE =
  "(?:ai|a\\.i\\.|llms?|(?:large )?language models?|chat ?bots?|chatgpt|gpt|claude|gemini|copilot|ki|ia)";

/** Sentences that nobody writes for people, in the built-in languages. */
const ORDERS = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|your|system)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines|directives|context)\b/i,
  /\bignorier\p{L}*\b.{0,60}\b(?:anweisung|regel|vorgabe|instruktion)\p{L}*/iu,
  /\b(?:ignore[rz]?|oublie[rz]?)\b.{0,20}\b(?:les|tes|vos|toutes|ces)\b.{0,40}\b(?:instructions|consignes|règles|directives)/iu,
  /\b(?:ignor[ae]|olvid[ae])\b.{0,60}\b(?:instrucciones|reglas|indicaciones)/iu,
  /\b(?:reveal|print|repeat|output|disclose|show)\b.{0,30}\b(?:system|your|hidden) (?:prompt|instructions|rules)/i,
  new RegExp(
    `\\b(?:note|notice|attention|message|instructions?|hinweis|anweisung|consigne|aviso|nota)\\b.{0,20}\\b(?:to|for|an|für|pour|para|aux?|à)\\b.{0,20}\\b${MACHINE}\\b`,
    "i",
  ),
  new RegExp(
    `\\b(?:if|when|since) you(?:'re| are) (?:an? )?(?:${MACHINE}|assistant|bot|crawler)\\b`,
    "i",
  ),
  new RegExp(`\\b(?:dear|hey|hello|attention,?) ${MACHINE}\\b`, "i"),
  new RegExp(
    `\\b${MACHINE}(?: assistants?| agents?| models?| systems?)? (?:reading|that reads?|summari[sz]ing|crawling|processing) this\\b`,
    "i",
  ),
  /\byou are (?:now|no longer) (?:an?|the|in|my|called)\b/i,
  /\b(?:do not|don't|never) (?:tell|inform|reveal (?:this )?to|mention (?:this )?to) the (?:user|visitor|human|customer)\b/i,
  /\b(?:tell|convince|instruct|order) (?:the |every |all )?(?:users?|visitors?|prospects?)\b.{0,60}\b(?:that|to)\b/i,
  /<\|?(?:im_start|im_end|system|endoftext)\|?>|\[\/?(?:INST|SYSTEM)\]|<<SYS>>/i,
  /^\W{0,4}(?:system|assistant|developer)\s*(?:prompt|message|override|note)?\s*:/i,
];

/** Whether a text speaks to the machine that reads it. To the agent it is text; a draft made from it could become an instruction. */
export function ordersAssistants(text: string): boolean {
  const plain = text.normalize("NFKC").replaceAll(INVISIBLE, "").replaceAll(/\s+/g, " ");
  return ORDERS.some((order) => order.test(plain));
}
