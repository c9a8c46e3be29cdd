export { Deliverer, type FinishedAttempt } from "./deliverer.ts";
export {
  DELIVERY_STATES,
  type DeliveryAttempt,
  type DeliveryFilter,
  type DeliveryState,
  type DeliveryStory,
  endpointHealth,
  type EndpointHealth,
  listDeliveries,
  type ListedDelivery,
  tellDelivery,
} from "./delivery-list.ts";
export { Dispatcher } from "./dispatcher.ts";
export {
  addEndpoint,
  type Endpoint,
  findEndpoint,
  listEndpoints,
  openForTest,
  removeEndpoint,
  resealSecrets,
  rotateSecret,
  setEndpointState,
} from "./endpoint.ts";
export { enqueueEvent } from "./enqueue-event.ts";
export { createExhaustionNotice } from "./exhaustion-notice.ts";
export { forgetEvents } from "./forget-store.ts";
export { deliver } from "./jobs.ts";
export { examineReceiver, type ReceiverFinding } from "./receiver-doctor.ts";
export { type Cure, type CureName, CURES } from "./receiver-doctor-code.ts";
export { type Replay, replayDeliveries } from "./replay.ts";
export type { ReplayChoice } from "./replay-store.ts";
export { signatureHeaders } from "./sign.ts";
export { countDeliveries, forgetDeliveries } from "./upkeep-store.ts";
