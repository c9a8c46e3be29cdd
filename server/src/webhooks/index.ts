export { Deliverer, type FinishedAttempt } from "./delivery/deliverer.ts";
export { deliver, Dispatcher } from "./delivery/dispatcher.ts";
export { enqueueEvent } from "./delivery/enqueue-event.ts";
export { createExhaustionNotice } from "./delivery/exhaustion-notice.ts";
export { signatureHeaders } from "./delivery/sign.ts";
export {
  countDeliveries,
  type DeliveryCounts,
  forgetDeliveries,
  forgetEvents,
  sessionOfDelivery,
} from "./delivery/upkeep.ts";
export {
  activateSecret,
  cancelStagedSecret,
  openForTest,
  resealSecrets,
  rotateSecretNow,
  secretsThatDoNotOpen,
  stageSecret,
  type UnopenedSecret,
} from "./endpoints/endpoint-secret.ts";
export {
  addEndpoint,
  type Endpoint,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  setEndpointState,
} from "./endpoints/endpoint.ts";
export { type Cure, type CureName, CURES } from "./endpoints/receiver-doctor-code.ts";
export { examineReceiver, type ReceiverFinding } from "./endpoints/receiver-doctor.ts";
export {
  type Arrival,
  arrivals,
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
} from "./operator/delivery-list.ts";
export { type Replay, type ReplayChoice, replayDeliveries } from "./operator/replay.ts";
