import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SpanStatusCode } from "@opentelemetry/api";
import { expect, onTestFinished, test } from "vitest";
import { inSpan, startTracing } from "./tracing.ts";

// S12
test("spans reach the collector with their figures, and without a word that anybody said", async () => {
  const received: Buffer[] = [];
  const collector = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => received.push(chunk));
    request.on("end", () => response.end());
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  onTestFinished(() => void collector.close());
  const { port } = collector.address() as AddressInfo;

  const tracing = await startTracing(`http://127.0.0.1:${port}/v1/traces`, {
    role: "live",
    instance: "talk-1",
    version: "1.2.3",
  });
  await inSpan("svc.turn", {}, async (span) => {
    span.setAttribute("svc.session", "01a1");
    span.setAttribute("first_word_ms", 250);
    span.setAttribute("lk.pii.user_input", "CANARY one");
    span.setAttribute("gen_ai.input.messages", "CANARY two");
    span.addEvent("heard", { text: "CANARY three" });
    span.recordException(new Error("CANARY four"));
    span.setStatus({ code: SpanStatusCode.ERROR, message: "CANARY five" });
  });
  await tracing.stop();

  const sent = Buffer.concat(received).toString("latin1");
  for (const kept of ["svc.turn", "svc.session", "01a1", "first_word_ms", "svc.role", "talk-1"]) {
    expect(sent).toContain(kept);
  }
  expect(sent).not.toContain("CANARY");
});
