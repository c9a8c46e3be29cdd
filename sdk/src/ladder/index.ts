export { rungCard } from "./rung-card.ts";
export type { Rung } from "./rung.ts";
