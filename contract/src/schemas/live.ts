import * as z from "zod";
import type * as types from "../types/index.ts";
import { schemaOf } from "./schema-of.ts";
import { TranscriptEntry } from "./session.ts";

const count = z.int().min(0);
const mode = z.enum(["voice", "text"]);
const seq = z.int().min(1);
const token = z.string().min(1).max(200);
const position = z.number().min(0).max(86_400_000);

export const LiveHello: z.ZodType<types.LiveHello> = schemaOf<types.LiveHello>()(
  z.strictObject({
    type: z.literal("hello"),
    protocol: z.literal("svc.live.v1"),
    session_id: z.uuid(),
    ticket: token.exactOptional(),
    resume_token: token.exactOptional(),
    received: count,
    playing: z.strictObject({ segment: count, position_ms: position }).exactOptional(),
  }),
);

export const LivePing: z.ZodType<types.LivePing> = schemaOf<types.LivePing>()(
  z.strictObject({ type: z.literal("ping"), received: count }),
);

export const LiveText: z.ZodType<types.LiveText> = schemaOf<types.LiveText>()(
  z.strictObject({
    type: z.literal("text"),
    seq,
    text: z.string().min(1).max(4_000),
    quick_reply: z.literal(true).exactOptional(),
  }),
);

export const LivePlayback: z.ZodType<types.LivePlayback> = schemaOf<types.LivePlayback>()(
  z.strictObject({
    type: z.literal("playback"),
    seq,
    segment: count,
    position_ms: position,
    state: z.enum(["started", "playing", "paused", "finished"]),
  }),
);

export const LiveCleared: z.ZodType<types.LiveCleared> = schemaOf<types.LiveCleared>()(
  z.strictObject({ type: z.literal("cleared"), seq, segment: count, position_ms: position }),
);

export const LiveCardResult: z.ZodType<types.LiveCardResult> = schemaOf<types.LiveCardResult>()(
  z.strictObject({
    type: z.literal("card_result"),
    seq,
    card_id: token,
    action: z.enum(["confirmed", "dismissed"]),
    value: z.string().min(1).max(1_000).exactOptional(),
  }),
);

export const LivePlaceResult: z.ZodType<types.LivePlaceResult> = schemaOf<types.LivePlaceResult>()(
  z.strictObject({
    type: z.literal("place_result"),
    seq,
    cue: token,
    state: z.enum(["shown", "missing", "declined", "gone"]),
  }),
);

export const LiveStepTo: z.ZodType<types.LiveStepTo> = schemaOf<types.LiveStepTo>()(
  z.strictObject({
    type: z.literal("step"),
    seq,
    id: token,
    at: z.int().min(1).max(50),
    cue: token,
  }),
);

export const LivePageActions: z.ZodType<types.LivePageActions> = schemaOf<types.LivePageActions>()(
  z.strictObject({ type: z.literal("page_actions"), seq, names: z.array(token).max(50) }),
);

export const LiveActionResult: z.ZodType<types.LiveActionResult> =
  schemaOf<types.LiveActionResult>()(
    z.strictObject({
      type: z.literal("action_result"),
      seq,
      cue: token,
      state: z.enum(["done", "failed", "refused", "missing"]),
      text: z.string().max(1_000).exactOptional(),
    }),
  );

export const LiveTyping: z.ZodType<types.LiveTyping> = schemaOf<types.LiveTyping>()(
  z.strictObject({ type: z.literal("typing"), seq }),
);

export const LiveVisibility: z.ZodType<types.LiveVisibility> = schemaOf<types.LiveVisibility>()(
  z.strictObject({ type: z.literal("visibility"), seq, visible: z.boolean() }),
);

export const LiveMute: z.ZodType<types.LiveMute> = schemaOf<types.LiveMute>()(
  z.strictObject({ type: z.literal("mute"), seq, muted: z.boolean() }),
);

export const LiveRoomState: z.ZodType<types.LiveRoomState> = schemaOf<types.LiveRoomState>()(
  z.strictObject({
    type: z.literal("room"),
    seq,
    state: z.enum(["wanted", "joined", "left"]),
    room: z.string().max(100).exactOptional(),
  }),
);

export const LiveRating: z.ZodType<types.LiveRating> = schemaOf<types.LiveRating>()(
  z.strictObject({
    type: z.literal("rating"),
    seq,
    stars: z.int().min(1).max(5),
    comment: z.string().min(1).max(1_000).exactOptional(),
  }),
);

export const LiveSwitch: z.ZodType<types.LiveSwitch> = schemaOf<types.LiveSwitch>()(
  z.strictObject({ type: z.literal("switch"), seq, mode }),
);

export const LiveEnd: z.ZodType<types.LiveEnd> = schemaOf<types.LiveEnd>()(
  z.strictObject({ type: z.literal("end"), seq }),
);

/** Everything that a browser may send. */
export const LiveClientMessage: z.ZodType<types.LiveClientMessage> = z.union([
  LiveHello,
  LivePing,
  LiveText,
  LivePlayback,
  LiveCleared,
  LiveCardResult,
  LivePlaceResult,
  LiveStepTo,
  LivePageActions,
  LiveActionResult,
  LiveTyping,
  LiveVisibility,
  LiveMute,
  LiveRoomState,
  LiveRating,
  LiveSwitch,
  LiveEnd,
]);

const state = z.enum(["listening", "thinking", "speaking"]);

export const LivePlace: z.ZodType<types.LivePlace> = schemaOf<types.LivePlace>()(
  z.strictObject({ selector: z.string(), confirm: z.boolean(), cue: token }),
);

export const LiveStep: z.ZodType<types.LiveStep> = schemaOf<types.LiveStep>()(
  z.strictObject({ at: z.int().min(1), of: z.int().min(1), cue: token.exactOptional() }),
);

export const LiveShown: z.ZodType<types.LiveShown> = schemaOf<types.LiveShown>()(
  z.strictObject({
    id: z.string(),
    title: z.string(),
    kind: z.enum(["image", "markdown", "video", "code", "table", "tour", "place"]),
    url: z.string(),
    slide_url: z.string().exactOptional(),
    place: LivePlace.exactOptional(),
    step: LiveStep.exactOptional(),
  }),
);

export const LiveAddressDoubt: z.ZodType<types.LiveAddressDoubt> =
  schemaOf<types.LiveAddressDoubt>()(
    z.strictObject({ domain: z.string(), suggestion: z.string().exactOptional() }),
  );

export const LiveEmailCard: z.ZodType<types.LiveEmailCard> = schemaOf<types.LiveEmailCard>()(
  z.strictObject({
    kind: z.literal("email"),
    id: z.string(),
    prefill: z.string().exactOptional(),
    doubt: LiveAddressDoubt.exactOptional(),
  }),
);

export const LivePersonCard: z.ZodType<types.LivePersonCard> = schemaOf<types.LivePersonCard>()(
  z.strictObject({ kind: z.literal("person"), id: z.string(), link: z.string() }),
);

export const LiveRepliesCard: z.ZodType<types.LiveRepliesCard> = schemaOf<types.LiveRepliesCard>()(
  z.strictObject({
    kind: z.literal("replies"),
    id: z.string(),
    replies: z.array(z.string()).min(1),
  }),
);

const actionParams: z.ZodType<types.ActionParams> = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()]),
);

export const LiveActionCard: z.ZodType<types.LiveActionCard> = schemaOf<types.LiveActionCard>()(
  z.strictObject({
    kind: z.literal("action"),
    id: z.string(),
    name: z.string(),
    title: z.string(),
    params: actionParams,
  }),
);

const openCard: z.ZodType<types.LiveOpenCard> = z.union([
  LiveEmailCard,
  LivePersonCard,
  LiveRepliesCard,
  LiveActionCard,
]);

export const LiveSource: z.ZodType<types.LiveSource> = schemaOf<types.LiveSource>()(
  z.strictObject({ title: z.string().min(1), url: z.url({ protocol: /^https?$/ }) }),
);

export const LiveWelcome: z.ZodType<types.LiveWelcome> = schemaOf<types.LiveWelcome>()(
  z.strictObject({
    type: z.literal("welcome"),
    session_id: z.uuid(),
    resume_token: token,
    received: count,
    sent: count,
    ping_ms: z.int().min(1),
    mode,
    language: z.string(),
    seconds_left: count,
    state,
    transcript: z.array(TranscriptEntry),
    sources: z.record(z.string().regex(/^\d+$/), z.array(LiveSource).min(1)).exactOptional(),
    content: LiveShown.exactOptional(),
    card: openCard.exactOptional(),
  }),
);

export const LivePong: z.ZodType<types.LivePong> = schemaOf<types.LivePong>()(
  z.strictObject({ type: z.literal("pong"), received: count }),
);

export const LiveState: z.ZodType<types.LiveState> = schemaOf<types.LiveState>()(
  z.strictObject({ type: z.literal("state"), seq, state }),
);

export const LiveCaption: z.ZodType<types.LiveCaption> = schemaOf<types.LiveCaption>()(
  z.strictObject({
    type: z.literal("caption"),
    seq,
    turn: z.string(),
    role: z.enum(["user", "assistant"]),
    text: z.string(),
    final: z.boolean(),
    interrupted: z.literal(true).exactOptional(),
    language: z.string().exactOptional(),
    sources: z.array(LiveSource).min(1).exactOptional(),
  }),
);

export const LiveAudioStart: z.ZodType<types.LiveAudioStart> = schemaOf<types.LiveAudioStart>()(
  z.strictObject({
    type: z.literal("audio_start"),
    seq,
    segment: count,
    sample_rate: z.int().min(8_000),
    from_ms: position.exactOptional(),
  }),
);

export const LiveAudioFlush: z.ZodType<types.LiveAudioFlush> = schemaOf<types.LiveAudioFlush>()(
  z.strictObject({
    type: z.literal("audio_flush"),
    seq,
    segment: count,
    length_ms: position.exactOptional(),
  }),
);

export const LiveAudioClear: z.ZodType<types.LiveAudioClear> = schemaOf<types.LiveAudioClear>()(
  z.strictObject({ type: z.literal("audio_clear"), seq, segment: count }),
);

export const LiveAudioPause: z.ZodType<types.LiveAudioPause> = schemaOf<types.LiveAudioPause>()(
  z.strictObject({ type: z.literal("audio_pause"), seq, segment: count }),
);

export const LiveAudioResume: z.ZodType<types.LiveAudioResume> = schemaOf<types.LiveAudioResume>()(
  z.strictObject({
    type: z.literal("audio_resume"),
    seq,
    segment: count,
    from_ms: position.exactOptional(),
  }),
);

export const LiveAudioRoom: z.ZodType<types.LiveAudioRoom> = schemaOf<types.LiveAudioRoom>()(
  z.strictObject({
    type: z.literal("audio_room"),
    seq,
    room: z.string(),
    url: z.string(),
    token: z.string(),
  }),
);

export const LiveMode: z.ZodType<types.LiveMode> = schemaOf<types.LiveMode>()(
  z.strictObject({ type: z.literal("mode"), seq, mode }),
);

export const LiveContent: z.ZodType<types.LiveContent> = schemaOf<types.LiveContent>()(
  z.strictObject({ type: z.literal("content"), seq, content: LiveShown }),
);

export const LivePage: z.ZodType<types.LivePage> = schemaOf<types.LivePage>()(
  z.strictObject({ type: z.literal("page"), seq, actions: z.array(z.string()) }),
);

export const LiveAction: z.ZodType<types.LiveAction> = schemaOf<types.LiveAction>()(
  z.strictObject({
    type: z.literal("action"),
    seq,
    cue: token,
    name: z.string(),
    params: actionParams,
  }),
);

export const LiveCard: z.ZodType<types.LiveCard> = schemaOf<types.LiveCard>()(
  z.strictObject({ type: z.literal("card"), seq, card: openCard.nullable() }),
);

export const LiveWarning: z.ZodType<types.LiveWarning> = schemaOf<types.LiveWarning>()(
  z.strictObject({
    type: z.literal("warning"),
    seq,
    warning: z.enum(["time", "idle"]),
    seconds_left: count,
  }),
);

export const LiveEnded: z.ZodType<types.LiveEnded> = schemaOf<types.LiveEnded>()(
  z.strictObject({
    type: z.literal("ended"),
    seq,
    reason: z.enum([
      "visitor_ended",
      "agent_ended",
      "silence",
      "max_duration",
      "max_cost",
      "visitor_gone",
      "server_fault",
    ]),
    mail_to: z.string().exactOptional(),
  }),
);

export const LiveRecap: z.ZodType<types.LiveRecap> = schemaOf<types.LiveRecap>()(
  z.strictObject({ type: z.literal("recap"), seq, lines: z.array(z.string()).min(1).max(3) }),
);

/** Everything that the server may send. */
export const LiveServerMessage: z.ZodType<types.LiveServerMessage> = z.union([
  LiveWelcome,
  LivePong,
  LiveState,
  LiveCaption,
  LiveAudioStart,
  LiveAudioFlush,
  LiveAudioClear,
  LiveAudioPause,
  LiveAudioResume,
  LiveAudioRoom,
  LiveMode,
  LiveContent,
  LivePage,
  LiveAction,
  LiveCard,
  LiveWarning,
  LiveEnded,
  LiveRecap,
]);
