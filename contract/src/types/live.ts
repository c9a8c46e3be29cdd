import type { AgentContentKind, AgentMode } from "./agent.ts";
import type { TranscriptEntry } from "./session.ts";

/**
 * `svc.live.v1`: what the visitor's browser and the server say to each other over one WebSocket
 * while a session lasts.
 *
 * Control travels as JSON text frames, one message each; audio as binary frames. The browser speaks
 * first, with `hello`, and waits for `welcome`. From then on every message that changes anything
 * carries `seq`, counted from 1 on each side for the whole session, across reconnections. Both
 * sides keep what the other has not acknowledged and send it again after a reconnection; what
 * arrives a second time is passed over. `received` is the highest `seq` that has arrived.
 */
export type LiveClientMessage =
  | LiveHello
  | LivePing
  | LiveText
  | LivePlayback
  | LiveCleared
  | LiveCardResult
  | LivePlaceResult
  | LiveStepTo
  | LivePageActions
  | LiveActionResult
  | LiveTyping
  | LiveVisibility
  | LiveMute
  | LiveRoomState
  | LiveRating
  | LiveSwitch
  | LiveEnd;

export type LiveServerMessage =
  | LiveWelcome
  | LivePong
  | LiveState
  | LiveCaption
  | LiveAudioStart
  | LiveAudioFlush
  | LiveAudioClear
  | LiveAudioPause
  | LiveAudioResume
  | LiveAudioRoom
  | LiveMode
  | LiveContent
  | LivePage
  | LiveAction
  | LiveCard
  | LiveWarning
  | LiveEnded
  | LiveRecap;

// ── from the browser ────────────────────────────────────────────────────────────────────────────

/** The first frame on a socket: who comes. Either a fresh ticket, or a resume token after a loss. */
export interface LiveHello {
  type: "hello";
  protocol: "svc.live.v1";
  session_id: string;
  /** From the start; works until the token of its welcome is used, for 60 seconds at most. */
  ticket?: string;
  /** From the last `welcome`; works until the token of the next one is used. */
  resume_token?: string;
  /**
   * The highest `seq` of the server's that has arrived. 0 says that the browser has nothing, as on a
   * new page: the welcome then tells all there is, and nothing older is sent again.
   */
  received: number;
  /** With a resume token: what was playing, so that a cut turn is remembered as it was heard. */
  playing?: { segment: number; position_ms: number };
}

/** At least every `ping_ms` of the welcome. A browser that is silent for six seconds is lost. */
export interface LivePing {
  type: "ping";
  received: number;
}

/** What the visitor typed, or the quick reply that they chose. It becomes a turn, and cuts the agent's. */
export interface LiveText {
  type: "text";
  seq: number;
  /** At most 4,000 characters. */
  text: string;
  quick_reply?: true;
}

/**
 * How far the browser has really played a segment of audio. Sent when its first sound is out, ten
 * times a second, when it was paused, and when all of it was played.
 */
export interface LivePlayback {
  type: "playback";
  seq: number;
  segment: number;
  position_ms: number;
  state: "started" | "playing" | "paused" | "finished";
}

/** The answer to `audio_clear`: where the sound stopped. */
export interface LiveCleared {
  type: "cleared";
  seq: number;
  segment: number;
  position_ms: number;
}

/** What the visitor did with a card. Never part of the transcript. */
export interface LiveCardResult {
  type: "card_result";
  seq: number;
  card_id: string;
  action: "confirmed" | "dismissed";
  /** The address that was confirmed, for a card of kind `email`. */
  value?: string;
}

/**
 * What became of a place. `shown`: it has a light, or its page was opened elsewhere. `missing`: the page has no such element.
 * `declined`: the visitor did not want to leave their page. `gone`: the light is off, or the visitor has left the page.
 */
export interface LivePlaceResult {
  type: "place_result";
  seq: number;
  /** Of the content. */
  cue: string;
  state: "shown" | "missing" | "declined" | "gone";
}

/**
 * The visitor went to another step of a tour. The server answers with `content`, which holds the cue. Until that comes, what comes
 * of the same tour was sent before the server knew of this step, and is out of date.
 */
export interface LiveStepTo {
  type: "step";
  seq: number;
  /** Of the tour. */
  id: string;
  at: number;
  /** Any name for this step, to know it again. */
  cue: string;
}

/** What the visitor's page can do of what `page` has named. Again when that changes. */
export interface LivePageActions {
  type: "page_actions";
  seq: number;
  names: string[];
}

/**
 * What became of an action. `done`: the page's function has returned. `failed`: it has thrown, or takes too long. `refused`: its
 * own check of the parameters failed. `missing`: the page has not registered it, or not any more.
 */
export interface LiveActionResult {
  type: "action_result";
  seq: number;
  /** Of the action. */
  cue: string;
  state: "done" | "failed" | "refused" | "missing";
  /** What the page says of it, at most 1,000 characters. A model reads it as data. */
  text?: string;
}

/** The visitor is typing: that is not silence. */
export interface LiveTyping {
  type: "typing";
  seq: number;
}

/** The tab was hidden or shown. */
export interface LiveVisibility {
  type: "visibility";
  seq: number;
  visible: boolean;
}

/** The visitor's microphone was switched off, or on again. */
export interface LiveMute {
  type: "mute";
  seq: number;
  muted: boolean;
}

/**
 * `wanted`: the page has time for WebRTC, and asks for a room. `joined`: the browser hears the agent's track in the room of
 * `audio_room`, and publishes its microphone there. `left`: it could not join, or the room is lost; sound then goes over this
 * socket again.
 */
export interface LiveRoomState {
  type: "room";
  seq: number;
  state: "wanted" | "joined" | "left";
  /** The name of the room that was joined or left. */
  room?: string;
}

/** May follow `ended`. The operator sees it. */
export interface LiveRating {
  type: "rating";
  seq: number;
  /** 1 to 5. */
  stars: number;
  /** At most 1,000 characters. */
  comment?: string;
}

/** The visitor wants to talk, or to type from now on. Answered by `mode`. */
export interface LiveSwitch {
  type: "switch";
  seq: number;
  mode: AgentMode;
}

/** The visitor ends the session. */
export interface LiveEnd {
  type: "end";
  seq: number;
}

// ── from the server ─────────────────────────────────────────────────────────────────────────────

/** The answer to `hello`. After a reload the browser rebuilds its screen from it. */
export interface LiveWelcome {
  type: "welcome";
  session_id: string;
  /** For the next `hello`. What this one was said with works until then. */
  resume_token: string;
  /** The highest `seq` of the browser's that has arrived. */
  received: number;
  /**
   * The server's next message is one higher. Where it is not what `hello` had received, another process has taken the
   * session over, or the page is new: the browser draws its screen from this welcome.
   */
  sent: number;
  /** How often to ping. */
  ping_ms: number;
  /** How they talk. It is `text` where voice was asked for and cannot be had. */
  mode: AgentMode;
  language: string;
  /** How long the conversation may still take. */
  seconds_left: number;
  state: LiveAgentState;
  /** What was said so far. */
  transcript: TranscriptEntry[];
  /** Where the agent's facts come from, by the place of its turn in the transcript, from 0. */
  sources?: Record<string, LiveSource[]>;
  /** What is on show. */
  content?: LiveShown;
  /** The card that is open. */
  card?: LiveOpenCard;
}

export interface LivePong {
  type: "pong";
  received: number;
}

export interface LiveState {
  type: "state";
  seq: number;
  state: LiveAgentState;
}

export type LiveAgentState = "listening" | "thinking" | "speaking";

/**
 * What is being said: the whole text of that turn so far, so that a caption can be lost and nothing
 * is missing. The last one of a turn is final. A final text may be shorter than one before: then the
 * turn was cut, and only that much was heard. A final text that is empty takes the turn back.
 */
export interface LiveCaption {
  type: "caption";
  seq: number;
  turn: string;
  role: "user" | "assistant";
  text: string;
  final: boolean;
  interrupted?: true;
  /** Present in a language other than the welcome's: the agent has followed the visitor into it. */
  language?: string;
  /** The pages that the facts of this turn stand on, as far as they were heard. */
  sources?: LiveSource[];
}

/** A page of the owner's knowledge. */
export interface LiveSource {
  title: string;
  /** An https address, or one of the owner's own pages. The server takes it from the knowledge, never from what a model wrote. */
  url: string;
}

/**
 * The binary frames that follow are this segment: PCM, 16 bit, little endian, mono, 20 ms each but
 * for the last. One segment is played at a time, and numbers only rise.
 */
export interface LiveAudioStart {
  type: "audio_start";
  seq: number;
  segment: number;
  sample_rate: number;
  /**
   * Present when the segment comes over the room instead: the next sound there, after silence, is the segment from this
   * position on. Silence at its start is left out.
   */
  from_ms?: number;
}

/** The segment is complete: say `finished` once all of it was played. */
export interface LiveAudioFlush {
  type: "audio_flush";
  seq: number;
  segment: number;
  /** Present when it comes over the room, which never ends: how long the segment is. */
  length_ms?: number;
}

/** Stop playing at once, forget what was not played, and answer `cleared`. A pause is over then. */
export interface LiveAudioClear {
  type: "audio_clear";
  seq: number;
  segment: number;
}

/** Stop playing at once, keep what was not played, and answer `playback` with `paused`. */
export interface LiveAudioPause {
  type: "audio_pause";
  seq: number;
  segment: number;
}

/** Play on from where it was paused. */
export interface LiveAudioResume {
  type: "audio_resume";
  seq: number;
  segment: number;
  /** Present when it comes over the room: what was on its way when it was paused is sent again, from this position on. */
  from_ms?: number;
}

/**
 * A LiveKit room that the browser may join, so that sound travels over WebRTC. It takes the place of any room before. Until the
 * browser says `joined`, sound goes over this socket.
 */
export interface LiveAudioRoom {
  type: "audio_room";
  seq: number;
  /** Its name. */
  room: string;
  /** Of the LiveKit server. */
  url: string;
  /** For this room only: publish a microphone, hear the agent. Works for ten minutes. */
  token: string;
}

/**
 * How the conversation goes on: as the visitor chose, or in text because speech is gone. In text the
 * microphone can be let go.
 */
export interface LiveMode {
  type: "mode";
  seq: number;
  mode: AgentMode;
}

/** Something to look at, as its word is heard. */
export interface LiveContent {
  type: "content";
  seq: number;
  content: LiveShown;
}

export interface LiveShown {
  id: string;
  title: string;
  kind: AgentContentKind | "place";
  /** Of a place: the page that it is on, as a path or an https address; empty for the visitor's own. */
  url: string;
  /** The address of the same as a `Slide` in JSON. Absent for links, and where the file says it all. */
  slide_url?: string;
  place?: LivePlace;
  /** Of a tour. */
  step?: LiveStep;
}

/** Where a tour stands. */
export interface LiveStep {
  /** From 1. */
  at: number;
  of: number;
  /** Of the last `step` that the server knew of when it sent this. */
  cue?: string;
}

/** A place of the visitor's page, around which a light is put while the page is in full view. */
export interface LivePlace {
  /** A CSS selector; `>>>` leads into a shadow root. */
  selector: string;
  /** The visitor is asked before another page is opened. */
  confirm: boolean;
  /** Names this showing: a page that is opened for it knows it again. */
  cue: string;
}

/** Sent where the agent can show places or ask for actions: once it has begun to speak, and to every new page. */
export interface LivePage {
  type: "page";
  seq: number;
  /** The actions that it may ask for. */
  actions: string[];
}

/** The page does this now, once, as its word is heard or its card is confirmed. */
export interface LiveAction {
  type: "action";
  seq: number;
  /** Names this one: `action_result` tells what became of it. */
  cue: string;
  name: string;
  params: ActionParams;
}

export type ActionParams = Record<string, string | number | boolean>;

/** Something to act on. A new one replaces the one before; `null` takes it away. */
export interface LiveCard {
  type: "card";
  seq: number;
  card: LiveOpenCard | null;
}

export type LiveOpenCard = LiveEmailCard | LivePersonCard | LiveRepliesCard | LiveActionCard;

/** Asks for an address. What the agent understood stands in it; only the visitor can confirm it. */
export interface LiveEmailCard {
  kind: "email";
  id: string;
  prefill?: string;
  /** Present when the card opens again because the domain of the confirmed address accepts no mail. */
  doubt?: LiveAddressDoubt;
}

/** The address stands in `prefill` and is stored. Confirming it once more keeps it as it is. */
export interface LiveAddressDoubt {
  /** The domain that accepts no mail, as the visitor wrote it. */
  domain: string;
  /** The address that the visitor probably meant. Its domain accepts mail. */
  suggestion?: string;
}

/** Asks whether the page may do this. */
export interface LiveActionCard {
  kind: "action";
  id: string;
  name: string;
  title: string;
  params: ActionParams;
}

/** The way to a person: an https or mailto address. */
export interface LivePersonCard {
  kind: "person";
  id: string;
  link: string;
}

/** Ready answers. The chosen one comes back as `text` with `quick_reply`. */
export interface LiveRepliesCard {
  kind: "replies";
  id: string;
  replies: string[];
}

/** `time`: the longest conversation ends soon. `idle`: nobody has done anything for a while. */
export interface LiveWarning {
  type: "warning";
  seq: number;
  warning: "time" | "idle";
  seconds_left: number;
}

/** The conversation is over. The socket stays open for a rating, and closes after a while. */
export interface LiveEnded {
  type: "ended";
  seq: number;
  reason: LiveEndReason;
  /**
   * The address that a mail about the conversation goes to, unless its owner has objected or was mailed
   * often enough: who types an address does not learn that. Absent when none is sent, or when it is not known
   * whether one is: then tell the visitor nothing about a mail.
   */
  mail_to?: string;
}

/**
 * What the conversation was about, for the last screen. May follow `ended` within a few seconds; it is
 * not part of the transcript.
 */
export interface LiveRecap {
  type: "recap";
  seq: number;
  /** One to three sentences. */
  lines: string[];
}

export type LiveEndReason =
  | "visitor_ended"
  | "agent_ended"
  | "silence"
  | "max_duration"
  | "max_cost"
  | "visitor_gone"
  | "server_fault";

/** The codes that the server closes a socket with. Literals, so that a copy with other numbers does not compile. */
export type LiveCloseCodes = {
  readonly done: 1000;
  readonly goingAway: 1001;
  readonly notJson: 1003;
  readonly tooBig: 1009;
  readonly fault: 1011;
  readonly full: 1013;
  readonly badFrame: 4000;
  readonly moved: 4001;
  readonly refused: 4002;
  readonly over: 4003;
  readonly helloLate: 4004;
  readonly tooFast: 4005;
  readonly silent: 4006;
};
