import { createLanguageModel, systemClock } from "@svc/server/testing";
import { Ajv } from "ajv";
import { PLACE } from "./place.ts";
import type { Relay } from "./relay.ts";

export interface Judged {
  /** It is JSON and keeps to the schema. */
  isValid: boolean;
  /** What was counted is what the server told. */
  isCounted: boolean;
  text: string;
}

const SCHEMA = {
  type: "object",
  properties: {
    language: { type: "string", enum: ["en", "de", "fr", "es"] },
    qualified: { type: "boolean" },
    summary: { type: "string", maxLength: 40 },
    answers: { type: "array", items: { type: "string", maxLength: 20 }, maxItems: 2 },
  },
  required: ["language", "qualified", "summary", "answers"],
  additionalProperties: false,
};
const keepsToSchema = new Ajv().compile(SCHEMA);

/** Asks as an evaluation asks: for JSON by a schema. */
export async function judge(relay: Relay, content: string): Promise<Judged> {
  const place = { ...PLACE, url: relay.url, clock: systemClock };
  const { text, usage } = await createLanguageModel(place).ask({
    messages: [{ role: "user", content }],
    schema: SCHEMA,
    signal: new AbortController().signal,
  });
  const told = relay.seen().usage;
  return {
    text,
    isValid: keepsToSchema(parsed(text)),
    isCounted: usage.inputTokens === told?.input && usage.outputTokens === told.output,
  };
}

/** The control: the same question, and nothing said about its form. */
export async function isJsonAnyway(relay: Relay, content: string): Promise<boolean> {
  const body = { messages: [{ role: "user", content }], max_tokens: 30 };
  const response = await fetch(`${relay.url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  const [, said = '""'] = /"content":("(?:[^"\\]|\\.)*")/.exec(await response.text()) ?? [];
  return parsed(String(JSON.parse(said))) !== undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
