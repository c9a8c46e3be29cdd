export { FunnelCounter } from "./funnel-counter.ts";
