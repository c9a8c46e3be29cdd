export { FunnelCounter } from "./funnel-counter.ts";
export {
  type FunnelDimension,
  type FunnelFilter,
  type FunnelRows,
  readFunnel,
} from "./read-funnel.ts";
