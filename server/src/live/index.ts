export type { LiveAgents } from "./calls.ts";
export { type Live, type LiveOptions, startLive } from "./live.ts";
export { type LiveServer, startLiveServer } from "./live.ts";
export { openRooms } from "./live.ts";
