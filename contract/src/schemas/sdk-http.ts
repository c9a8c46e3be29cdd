import * as z from "zod";
import type * as types from "../types/index.ts";
import { AgentAvatar, AgentColors, AgentCta } from "./agent.ts";
import { languageCode } from "./agent-values.ts";
import { schemaOf } from "./schema-of.ts";
import { text, timestamp } from "./wire-values.ts";

export const AgentFactsLanguage: z.ZodType<types.AgentFactsLanguage> =
  schemaOf<types.AgentFactsLanguage>()(
    z.strictObject({
      code: text,
      notice: text,
      notice_link: z.strictObject({ text, url: text }).exactOptional(),
      words_url: text.exactOptional(),
    }),
  );

export const AgentPicture: z.ZodType<types.AgentPicture> = schemaOf<types.AgentPicture>()(
  z.strictObject({ poster_url: text, loop_url: text.exactOptional() }),
);

export const AgentFacts: z.ZodType<types.AgentFacts> = schemaOf<types.AgentFacts>()(
  z.strictObject({
    agent_id: text,
    name: text,
    brand: z.strictObject({
      name: text,
      logo_url: text.exactOptional(),
      link: text.exactOptional(),
      cta: AgentCta.exactOptional(),
      colors: AgentColors.exactOptional(),
    }),
    theme: z.enum(["light", "dark"]).exactOptional(),
    avatar: z.union([AgentAvatar, AgentPicture]),
    modes: z.array(z.enum(["voice", "text"])),
    languages: z.array(AgentFactsLanguage).min(1),
    default_language: text,
    max_minutes: z.number().min(0),
    person: text.exactOptional(),
    paused: z.literal(true).exactOptional(),
  }),
);

const refusalReasons = [
  "agent_unknown",
  "preview_invalid",
  "agent_paused",
  "origin_not_allowed",
  "at_capacity",
  "too_many_starts",
  "daily_cap",
  "service_unavailable",
] as const;

export const StartChallenge: z.ZodType<types.StartChallenge> = schemaOf<types.StartChallenge>()(
  z.strictObject({
    parameters: z.strictObject({
      algorithm: z.literal("SHA-256"),
      nonce: text,
      salt: text,
      cost: z.literal(1),
      keyLength: z.literal(32),
      keyPrefix: text,
      expiresAt: z.number().min(0),
      data: z.strictObject({ agent_id: text, start_key: text }),
    }),
    signature: text,
  }),
);

export const SdkErrorDetail: z.ZodType<types.SdkErrorDetail> = schemaOf<types.SdkErrorDetail>()(
  z.strictObject({
    code: z.enum([
      ...refusalReasons,
      "metadata_too_large",
      "invalid_request",
      "not_found",
      "method_not_allowed",
      "rate_limited",
      "conflict",
      "ended",
      "internal_error",
    ]),
    message: text,
    parameter: text.exactOptional(),
    challenge: StartChallenge.exactOptional(),
  }),
);

export const SdkErrorBody: z.ZodType<types.SdkErrorBody> = schemaOf<types.SdkErrorBody>()(
  z.strictObject({ error: SdkErrorDetail }),
);

export const Eligibility: z.ZodType<types.Eligibility> = schemaOf<types.Eligibility>()(
  z.strictObject({
    allowed: z.boolean(),
    reason: z.enum(refusalReasons).nullable(),
  }),
);

const previewToken = z.string().min(1).max(200);

export const EligibilityQuestion: z.ZodType<types.EligibilityQuestion> =
  schemaOf<types.EligibilityQuestion>()(z.strictObject({ preview_token: previewToken }));

const agentId = z.string().regex(/^(?:agent|client)_[a-z0-9]{1,60}$/);

const MAX_NOTICE_CHARACTERS: types.NoticeMaxCharacters = 4_000;

export const ConsentReceipt: z.ZodType<types.ConsentReceipt> = schemaOf<types.ConsentReceipt>()(
  z.strictObject({
    text: z.string().min(1).max(MAX_NOTICE_CHARACTERS),
    language: languageCode,
    accepted_at: timestamp,
  }),
);

export const SessionStart: z.ZodType<types.SessionStart> = schemaOf<types.SessionStart>()(
  z.strictObject({
    agent_id: agentId,
    start_key: z.uuid(),
    mode: z.enum(["voice", "text"]),
    language: languageCode,
    // Not z.record, which drops the key `__proto__`: the site's keys are plain data.
    metadata: z.custom<Record<string, unknown>>(
      (input) => typeof input === "object" && input !== null && !Array.isArray(input),
      "expected an object",
    ),
    page: z.string().max(4_000),
    notice: ConsentReceipt,
    preview_token: previewToken.exactOptional(),
    continues: z
      .strictObject({ session_id: z.uuid(), resume_token: z.string().max(100) })
      .exactOptional(),
    challenge_solution: z.string().max(2_000).exactOptional(),
    without_call: z.literal(true).exactOptional(),
  }),
);

export const SessionStarted: z.ZodType<types.SessionStarted> = schemaOf<types.SessionStarted>()(
  z.strictObject({
    session_id: z.uuid(),
    ticket: text,
    live_url: text,
    test: z.enum(["test_origin", "preview_token"]).exactOptional(),
  }),
);

// Not strict: a page may have loaded the SDK of a later release, whose other fields are left out.
export const FunnelBeacon: z.ZodType<types.FunnelBeacon> = schemaOf<types.FunnelBeacon>()(
  z.object({
    agent_id: agentId,
    event: z.enum(["button_viewed", "form", "opened", "declined", "started", "ended"]),
    path: text.max(300).exactOptional(),
    language: languageCode.exactOptional(),
    entry: z.enum(["modal", "widget", "hero"]).exactOptional(),
  }),
);
