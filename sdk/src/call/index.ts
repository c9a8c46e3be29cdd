export { type CallOptions, openCall, type OpenCall } from "./open-call.ts";
