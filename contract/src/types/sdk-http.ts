import type { AgentAvatar, AgentColors, AgentCta, AgentMode, AgentTheme } from "./agent.ts";

/** `GET /sdk/v1/agents/{agent}`: what the page and the call need to know of an agent. */
export interface AgentFacts {
  agent_id: string;
  name: string;
  brand: {
    name: string;
    logo_url?: string;
    /** The one link on the goodbye screen. */
    link?: string;
    cta?: AgentCta;
    colors?: AgentColors;
  };
  /** Absent where widget and call are light or dark as the visitor's device prefers. */
  theme?: Exclude<AgentTheme, "auto">;
  avatar: AgentAvatar | AgentPicture;
  modes: AgentMode[];
  /** In the agent's order. */
  languages: AgentFactsLanguage[];
  default_language: string;
  max_minutes: number;
  /** Where "talk to a person" leads: an https or mailto address. */
  person?: string;
  /** Present while the operator has paused the agent: only previews start. */
  paused?: true;
}

/** The owner's own picture in place of a face of ours. */
export interface AgentPicture {
  poster_url: string;
  loop_url?: string;
}

export interface AgentFactsLanguage {
  code: string;
  /** What visitors read before they start. */
  notice: string;
  /** Leads to who gets what visitors say. Shown beside the notice, also beside one that the page has set. */
  notice_link?: { text: string; url: string };
  /** Where the `Words` of a language are that is not built in, as JSON. The call is in English where they cannot be loaded. */
  words_url?: string;
}

/** Why a session cannot be started. */
export type RefusalReason =
  | "agent_unknown"
  /** The preview token has expired, or is not one of this agent's. */
  | "preview_invalid"
  | "agent_paused"
  | "origin_not_allowed"
  | "at_capacity"
  | "too_many_starts"
  | "daily_cap"
  | "service_unavailable";

/** Body of every answer with a status of 400 or above under `/sdk/v1`. */
export interface SdkErrorBody {
  error: SdkErrorDetail;
}

export interface SdkErrorDetail {
  /** Stable and machine-readable. */
  code: SdkErrorCode;
  /** What happened and what to do next, for the developer of the page. */
  message: string;
  /** The field of the request at fault, where there is one. */
  parameter?: string;
  /** With `too_many_starts`, while starts look like a flood: who solves it may start at once. */
  challenge?: StartChallenge;
}

/** A proof of work of ALTCHA, version 2, for one start key. */
export interface StartChallenge {
  parameters: {
    algorithm: "SHA-256";
    /** In hexadecimal digits, as are `salt` and `keyPrefix`. */
    nonce: string;
    salt: string;
    cost: 1;
    keyLength: 32;
    /** What the SHA-256 of salt, nonce and the counter (4 bytes, the highest first) begins with. */
    keyPrefix: string;
    /** In seconds since 1970. */
    expiresAt: number;
    /** The start that it is for. */
    data: { agent_id: string; start_key: string };
  };
  signature: string;
}

export type SdkErrorCode =
  | RefusalReason
  /** 400: the metadata is above its caps. */
  | "metadata_too_large"
  /** 400, 413, 415: the request is not what is documented. */
  | "invalid_request"
  /** 404: there is nothing at this address. */
  | "not_found"
  /** 405: this address exists, but not for this method. See `Allow`. */
  | "method_not_allowed"
  /** 429: too many requests came from this address or its network. See `Retry-After`. */
  | "rate_limited"
  /** 409: the start key belongs to another request. */
  | "conflict"
  /** 409: the session of this start key is over. */
  | "ended"
  /** 500: a defect of the service. */
  | "internal_error";

/** The body of `POST /sdk/v1/agents/{agent}/eligibility`, which asks for the holder of a preview token. */
export interface EligibilityQuestion {
  preview_token: string;
}

/** `GET /sdk/v1/agents/{agent}/eligibility`. */
export interface Eligibility {
  allowed: boolean;
  /** `null` when allowed. */
  reason: RefusalReason | null;
}

/** `POST /sdk/v1/sessions`. */
export interface SessionStart {
  agent_id: string;
  /** A UUID made at the click. The same key again is the same session, for 24 hours. */
  start_key: string;
  mode: AgentMode;
  language: string;
  /** Strings, or anything that JSON can hold: it is encoded then. */
  metadata: Record<string, unknown>;
  /** The address of the page. */
  page: string;
  /** What the visitor accepted. */
  notice: ConsentReceipt;
  /** Makes it a test session, from any page and while the agent is paused. */
  preview_token?: string;
  /**
   * A conversation of this visitor's that ended less than an hour ago, with the last resume token of
   * its socket: the agent knows what was said in it. One that is unknown or too old is left out.
   */
  continues?: { session_id: string; resume_token: string };
  /** The solved challenge of the refusal before: the Base64 of `{ challenge, solution: { counter, derivedKey } }` as JSON. */
  challenge_solution?: string;
  /**
   * For a visitor who found no place and leaves their address, `metadata.email`: no conversation follows, and the
   * session is over at once. Places and daily caps do not refuse it, limits of addresses and networks do.
   */
  without_call?: true;
}

export interface ConsentReceipt {
  /** The text that was shown, of `NoticeMaxCharacters` at most. The server keeps its SHA-256: a page without TLS could not make one. */
  text: string;
  language: string;
  /** RFC 3339. */
  accepted_at: string;
}

/** The answer to a start. */
export interface SessionStarted {
  session_id: string;
  /** For the socket's `hello`; works for 60 seconds, until the token of its welcome is used. */
  ticket: string;
  /** Where the socket is: a ws or wss address. */
  live_url: string;
  /** Present when this is a test session: why. It is never exported, delivered or mailed. */
  test?: "test_origin" | "preview_token";
}

/**
 * `POST /sdk/v1/events`, by beacon: counted per agent, day, event and one of origin, page, language, entry, version
 * and device, with nothing else kept.
 */
export interface FunnelBeacon {
  agent_id: string;
  event: FunnelEvent;
  /** The path of the page, without query or fragment, cut after 201 characters. */
  path?: string;
  /** The language of the dialog, once it is open. */
  language?: string;
  /** What opened the demo: a button of the page's own, the widget or the hero. */
  entry?: FunnelEntry;
}

export type FunnelEntry = "modal" | "widget" | "hero";

/** As the browser names itself. */
export type DeviceKind = "desktop" | "phone" | "tablet";

/** `form`: the visitor filled in what the widget or the hero asks for first. */
export type FunnelEvent = "button_viewed" | "form" | "opened" | "declined" | "started" | "ended";

/** The limits on metadata, in UTF-8 bytes after encoding. Literals, so that a copy with other numbers does not compile. */
export type MetadataLimits = {
  readonly keys: 64;
  readonly valueBytes: 8192;
  readonly totalBytes: 32768;
  /** How deep a value that is not a string may be nested. */
  readonly depth: 32;
};

/** The length of the longest notice, in UTF-16 code units. A literal, so that a copy with another number does not compile. */
export type NoticeMaxCharacters = 4000;

/** How long a visitor who lost the connection can come back to the conversation. */
export type ReturnWithinSecs = 60;
