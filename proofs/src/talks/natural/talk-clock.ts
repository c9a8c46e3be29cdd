import { preload } from "../../stage/live-memory.ts";

/** Told with a visitor's socket: the day of their session. */
export const DAY_HEADER = "x-day-of-the-talk";

/**
 * For the server's NODE_OPTIONS. What a visitor's socket brings about reads the clock as of that visitor's day;
 * everything else reads the machine's. Deadlines and leases come from PostgreSQL and from the monotonic clock,
 * so a day of another month harms none of them.
 */
export const CLOCK_OF_THE_TALK: string = preload(`
import { AsyncLocalStorage } from "node:async_hooks";
import { Server } from "node:http";
const aheadMs = new AsyncLocalStorage();
const Machine = Date;
globalThis.Date = class Date extends Machine {
  constructor(...given) {
    if (given.length === 0) super(Date.now());
    else super(...given);
  }
  static now() {
    return Machine.now() + (aheadMs.getStore() ?? 0);
  }
};
const { emit } = Server.prototype;
Server.prototype.emit = function (event, request, socket, ...rest) {
  const day = event === "upgrade" ? request.headers["${DAY_HEADER}"] : undefined;
  if (day === undefined) return emit.call(this, event, request, socket, ...rest);
  const today = new Machine().toISOString().slice(0, 10);
  const ms = Machine.parse(day) - Machine.parse(today);
  const ofSocket = socket.emit;
  socket.emit = (...event) => aheadMs.run(ms, () => ofSocket.apply(socket, event));
  return aheadMs.run(ms, () => emit.call(this, event, request, socket, ...rest));
};
`);
