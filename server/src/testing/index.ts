/** Drives the rooms' doors and seeds rows, for tests and proofs only. */
export { addCustomer, type Customer } from "./customer.ts";
export { cloneDatabase, createTemplate, type TestDatabase } from "./database.ts";
export { seedBulk } from "./seed-bulk.ts";
export { seedSettled } from "./seed-settled.ts";
export {
  end,
  EXAMPLE_EVALUATION,
  EXAMPLE_TURNS,
  type PlayedTurn,
  playSession,
  say,
  settle,
  start,
  verifyEmail,
} from "./play-session.ts";
export { allotStamp, type StampClock } from "./stamp-model.ts";
export { dumpSchema } from "./schema-dump.ts";
