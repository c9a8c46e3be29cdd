import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Attributes, Context, Span } from "@opentelemetry/api";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-node";

/** Traces, sent to the operator's own collector. */
export interface Tracing {
  /** Sends what is waiting. */
  stop(): Promise<void>;
}

/** The process that spans come from. */
export interface TracedProcess {
  role: string;
  instance: string;
  version: string;
}

/** @param url an OTLP/HTTP address, such as `http://collector:4318/v1/traces`. */
export async function startTracing(url: string, process: TracedProcess): Promise<Tracing> {
  // Loaded only where traces are wanted: every command of the CLI would wait for them.
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-proto");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  const { BatchSpanProcessor, NodeTracerProvider } = await import("@opentelemetry/sdk-trace-node");
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      "service.name": "svc",
      "service.version": process.version,
      "service.instance.id": process.instance,
      "svc.role": process.role,
    }),
    spanProcessors: [new BatchSpanProcessor(withoutWords(new OTLPTraceExporter({ url })))],
  });
  provider.register();
  tracing.isOn = true;
  return { stop: () => provider.shutdown() };
}

const tracer = trace.getTracer("svc");
const tracing = { isOn: false };

/** False until `startTracing` was called: spans cost nothing then, but finding their parent might. */
export function isTracing(): boolean {
  return tracing.isOn;
}

/** Runs `work` in a span: a child of what runs now, or of `parent`, which may come from another process. */
export async function inSpan<T>(
  name: string,
  { parent, attributes = {} }: { parent?: Traceparent; attributes?: Attributes },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, { attributes }, continuing(parent), async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Lets the spans that `work` starts continue a trace. */
export function inTrace<T>(parent: Traceparent, work: () => T): T {
  return context.with(continuing(parent), work);
}

/** The W3C trace context of a span: `00-<trace id>-<span id>-<flags>`. Undefined where nothing is traced. */
export function traceparentOf(span: Span): string | undefined {
  const { traceId, spanId, traceFlags } = span.spanContext();
  if (!span.isRecording()) return undefined;
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

export type Traceparent = string | null | undefined;

const TRACEPARENT = /^00-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/;

function continuing(parent: Traceparent): Context {
  const { traceId, spanId, flags } = TRACEPARENT.exec(parent ?? "")?.groups ?? {};
  if (traceId === undefined || spanId === undefined) return context.active();
  const traceFlags = Number.parseInt(flags ?? "", 16);
  return trace.setSpanContext(context.active(), { traceId, spanId, traceFlags, isRemote: true });
}

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
  "svc.outcome",
  "gen_ai.request.model",
  "gen_ai.provider.name",
  "gen_ai.operation.name",
  "gen_ai.tool.name",
]);
