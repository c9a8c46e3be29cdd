export { Breaker } from "./breaker.ts";
export { explainModelFailure } from "./explain-model-failure.ts";
export { ModelAway, ModelRefused } from "./model-errors.ts";
export {
  estimatedUsage,
  type ModelPrice,
  type ModelUsage,
  NO_USAGE,
  usageOf,
} from "./model-usage.ts";
export { type ModelProbe, probeModel } from "./probe-model.ts";
