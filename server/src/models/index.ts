/** Language models: where they are, how they are asked, what they cost, and what their failures mean. */
export { jsonIn } from "./chat-messages.ts";
export type { ModelMessage, ToolCall, ToolOffer } from "./chat-messages.ts";
export { AccountBreakers, type Breaker, CircuitBreaker } from "./circuit-breaker.ts";
export { EmbeddingClient, type EmbeddingModel, type EmbeddingRequest } from "./embedding-model.ts";
export type { Account } from "./fair-slots.ts";
export {
  createLanguageModel,
  forAccount,
  type LanguageModel,
  type LanguageModelOptions,
  ModelClient,
  type ModelRequest,
} from "./model-client.ts";
export {
  BudgetSpent,
  type FirstAndFallback,
  firstThenFallback,
  inOrder,
  isModelFailure,
  ModelAway,
  ModelRefused,
} from "./model-errors.ts";
export { PRESET_NAMES, presetOf } from "./model-presets.ts";
export {
  type EmbeddingPlace,
  embeddingSettings,
  highestPrice,
  type ModelPlace,
  type ModelSettings,
  modelSettings,
  type ModelVariables,
  modelVariables,
  type TalkModelSettings,
  talkModelSettings,
  unpricedModels,
  unusedModelNames,
} from "./model-settings.ts";
export {
  type Charge,
  type ModelPrice,
  type ModelUsage,
  NO_USAGE,
  UsageSum,
} from "./model-usage.ts";
export type { ModelProbe } from "./probe-model.ts";
export type { StreamedAnswer, StreamLimits } from "./streamed-answer.ts";
