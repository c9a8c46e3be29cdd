export type * from "./agent.ts";
export type * from "./evaluation.ts";
export type * from "./export.ts";
export type * from "./sdk.ts";
export type * from "./session.ts";
export type * from "./webhook.ts";
