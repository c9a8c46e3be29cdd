export * from "./agent.ts";
export * from "./agent-json-schema.ts";
export * from "./evaluation.ts";
export * from "./export.ts";
export * from "./json-schemas.ts";
export * from "./sdk.ts";
export * from "./session.ts";
export * from "./webhook.ts";
