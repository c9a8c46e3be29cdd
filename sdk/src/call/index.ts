export type { CallOptions } from "./call-options.ts";
export { openCall, type OpenCall } from "./open-call.ts";
