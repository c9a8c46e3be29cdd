export { type Pipeline, type PipelineOptions, startPipeline } from "./pipeline.ts";
