/** Language models: where they are, how they are asked, what they cost, and what their failures mean. */
export { type ChatChunk, readChatChunk } from "./chat-chunk.ts";
export type { ModelMessage, ToolCall, ToolOffer } from "./chat-messages.ts";
export { CircuitBreaker } from "./circuit-breaker.ts";
export { everyone } from "./first-then-fallback.ts";
export {
  createLanguageModel,
  type LanguageModel,
  type LanguageModelOptions,
  type ModelRequest,
} from "./language-model.ts";
export { explainModelFailure, ModelAway, ModelRefused } from "./model-errors.ts";
export {
  conversing,
  type ModelPlace,
  type ModelSettings,
  modelSettings,
  type ModelVariables,
  modelVariables,
} from "./model-settings.ts";
export {
  estimatedUsage,
  type ModelPrice,
  type ModelUsage,
  NO_USAGE,
  usageOf,
} from "./model-usage.ts";
export { Patience, type PatienceLimits } from "./patience.ts";
export { type ModelProbe, probeModel } from "./probe-model.ts";
export { ToolCallPieces } from "./tool-call-pieces.ts";
