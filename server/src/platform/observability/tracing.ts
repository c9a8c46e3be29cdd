import { trace } from "@opentelemetry/api";
import type { Attributes, Tracer } from "@opentelemetry/api";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-node";

/** Traces, sent to the operator's own collector. */
export interface Tracing {
  /** Sends what is waiting. */
  stop(): Promise<void>;
}

/** @param url an OTLP/HTTP address, such as `http://collector:4318/v1/traces`. */
export async function startTracing(url: string): Promise<Tracing> {
  // Loaded only where traces are wanted: every command of the CLI would wait for them.
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-proto");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  const { BatchSpanProcessor, NodeTracerProvider } = await import("@opentelemetry/sdk-trace-node");
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ "service.name": "svc" }),
    spanProcessors: [new BatchSpanProcessor(withoutWords(new OTLPTraceExporter({ url })))],
  });
  provider.register();
  return { stop: () => provider.shutdown() };
}

/** Does nothing until `startTracing` was called. */
export const tracer: Tracer = trace.getTracer("svc");

/** The libraries put prompts and what people said into their spans. None of it leaves this process. */
function withoutWords(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(redacted), done),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush!() }),
  };
}

function redacted(span: ReadableSpan): ReadableSpan {
  const events = span.events.map((event) => ({
    ...event,
    attributes: harmless(event.attributes ?? {}),
  }));
  return Object.create(span, {
    attributes: { value: harmless(span.attributes) },
    events: { value: events },
    // An exception's message may repeat what it stumbled over.
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;
}

/** Numbers and flags, and the few texts that name things of ours. */
function harmless(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter(
      ([name, value]) => typeof value === "number" || typeof value === "boolean" || NAMES.has(name),
    ),
  );
}

const NAMES = new Set([
  "svc.session",
  "svc.reason",
  "gen_ai.request.model",
  "gen_ai.provider.name",
  "gen_ai.operation.name",
  "gen_ai.tool.name",
]);
