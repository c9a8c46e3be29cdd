export { startLanguageModel } from "./language-model/language-model.ts";
export type { LanguageModel, LanguageModelOptions } from "./language-model/language-model.ts";
export type { Fault, FaultKind } from "./language-model/fault.ts";
export type { LoggedRequest, Requests } from "./language-model/request-log.ts";
export { startWebhookReceiver } from "./webhook-receiver/webhook-receiver.ts";
export type {
  WebhookReceiver,
  WebhookReceiverOptions,
} from "./webhook-receiver/webhook-receiver.ts";
export type { Counts as ReceiverCounts } from "./webhook-receiver/counters.ts";
export type { Fault as ReceiverFault } from "./webhook-receiver/fault.ts";
export type { ReceivedRequest } from "./webhook-receiver/received-request.ts";
