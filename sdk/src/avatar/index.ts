export { wear } from "./wear.ts";
export type { Moment } from "./life.ts";
