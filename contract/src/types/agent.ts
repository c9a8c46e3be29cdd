/**
 * `agent.yaml`: what one agent is, says, shows and asks. Only `name` is required. Paths are relative to the agent's folder
 * and stay inside it.
 */
export interface AgentFile {
  /** What the agent calls itself. */
  name: string;
  /** Whose agent it is, and how the call looks. */
  brand?: AgentBrand;
  /** How visitors may talk with it. */
  modes?: AgentMode[];
  /** How sound travels in its calls: `livekit` where the operator runs a LiveKit server, `ws` over the call's own socket always. */
  transport?: AgentTransport;
  /** The languages it speaks, each under its code, such as `en` or `pt-BR`. A code with nothing behind it takes the built-in texts. */
  languages?: Record<string, AgentLanguage | null>;
  /** Spoken when none of the visitor's languages is listed. Default: the first of `languages`. */
  default_language?: string;
  /** The language of summaries and evaluations. Default: the default language. */
  record_language?: string;
  /** Who the agent is: character, tone, manners. */
  persona?: string;
  /** What it should do and avoid, in which order. */
  instructions?: string;
  /** Markdown files with all that it may say about the product. Default: every `knowledge/*.md`. */
  knowledge?: string[];
  /** Slides and cards that it can show. */
  content?: AgentContent[];
  /** Places of your own pages that it can show while it talks, each under its name. */
  places?: Record<string, AgentPlace>;
  /** What it can have your own pages do, each under the name that the page registers it by. */
  actions?: Record<string, AgentAction>;
  /** What it should find out by asking, in this order. The keys come back in every evaluation: keep them once they are in use. */
  questions?: Record<string, string>;
  /** What to look for in what the visitor says, without asking. The keys come back in the evaluation. */
  insights?: Record<string, string>;
  /** Who counts as qualified. Without it, no conversation is ever called qualified or disqualified. */
  qualification?: AgentQualification;
  /** What it may do beside talking. Default: all that its settings make possible. */
  tools?: AgentTool[];
  /**
   * Where it stops. The account has limits too, and the smaller one holds. Past `at_once`, `daily_starts` or `daily_cost` new
   * sessions are refused. Running ones go on, but past `daily_cost` the agent says goodbye in them.
   */
  limits?: AgentLimits;
  /** Pages that may start this agent, such as `https://www.example.com`. Default: any page. */
  allowed_origins?: string[];
  /** Pages whose sessions are tests: never exported, delivered or mailed. They may start the agent too. */
  test_origins?: string[];
  /** The face it wears: one of ours by its name, or a picture of your own. */
  avatar?: AgentAvatar | AgentPoster;
  /** Whether widget and call are light or dark: always the same, or `auto`, as the visitor's device prefers. */
  theme?: AgentTheme;
  /** Where "talk to a person" leads: an https link or an email address. */
  person?: string;
  /** `false`: no follow-up mail after this agent's sessions, even where the account sends them. */
  follow_up?: boolean;
}

/** Whose agent it is, and how the call looks. */
export interface AgentBrand {
  /** The company or product. Default: the agent's name. */
  name?: string;
  /** An image in the agent's folder: PNG, JPEG, GIF, WebP or SVG. */
  logo?: string;
  /** The one link on the goodbye screen. */
  link?: string;
  /** Your privacy policy, linked on the page about who gets what visitors say. */
  privacy?: string;
  /** The main button of the last screen: what visitors should do next. */
  cta?: AgentCta;
  /** Colours of the call, in hex and in quotes: without them YAML reads `#` as the start of a comment. */
  colors?: AgentColors;
}

/** The main button of the last screen. */
export interface AgentCta {
  /** What it says, such as `Book a meeting`. */
  text: string;
  /** Where it leads. A page of Cal.com or Calendly opens with the address that the visitor confirmed. */
  link: string;
}

/** Colours of the call. */
export interface AgentColors {
  /** Buttons and focus. Default: the built-in gradient. */
  primary?: string;
  /** Text on buttons. Default: white. */
  text?: string;
}

/** How the agent speaks one language. */
export interface AgentLanguage {
  /** The voice, by its name at the speech provider. Default: the provider's own. */
  voice?: string;
  /** The first sentence. Say in it that an AI speaks. Default: a built-in greeting. */
  greeting?: string;
  /** What visitors read before they start: that an AI speaks, and what is kept. Default: a built-in notice. */
  notice?: string;
}

/** One slide or card. */
export interface AgentContent {
  /** Its name for the agent, and in the session's events. */
  id: string;
  /** What visitors read above it. */
  title: string;
  /** What it is, and so how it is shown. */
  kind: AgentContentKind;
  /** The file in the agent's folder: an image, `.md`, `.mp4` or `.webm`, source code, `.csv`, or the `.yaml` of a tour. */
  file?: string;
  /** In place of a file, for an image or a video: its https address. */
  link?: string;
  /** When the agent should show it. */
  show_when?: string;
  /** What visitors of other languages see in its place, each under its code. A title and file without a translation are shown as they are. */
  languages?: Record<string, AgentContentTranslation>;
}

/** A slide or card in another language. */
export interface AgentContentTranslation {
  /** What visitors read above it. */
  title?: string;
  /** The file in the agent's folder. Default: the one beside `file` with the code in its name, as `prices.it.md` beside `prices.md`. */
  file?: string;
  /** In place of `link`. */
  link?: string;
}

/** A place of a page, around which the agent puts a light. */
export interface AgentPlace {
  /**
   * The page: a path such as `/pricing`, on the site that the visitor is on, or a whole https address elsewhere. Default: the
   * page that the visitor is on.
   */
  path?: string;
  /** The element, as a CSS selector; the first one that can be seen counts. `shop-plans >>> #team` looks into a shadow root. */
  selector: string;
  /** What visitors read beside the light. Default: its name. */
  caption?: string;
  /** When the agent should show it. */
  show_when?: string;
  /** Whether visitors are asked before another page is opened. */
  confirm?: boolean;
  /** What is different for visitors of other languages, each under its code. */
  languages?: Record<string, AgentPlaceTranslation>;
}

/** A place in another language. */
export interface AgentPlaceTranslation {
  /** The page in that language. */
  path?: string;
  /** What visitors read beside the light. */
  caption?: string;
}

/** Something that a page does when the agent asks for it. The agent can ask for nothing else. */
export interface AgentAction {
  /** What it does, for the agent. */
  describe: string;
  /** What visitors read when they are asked, such as `Create a sample project`. Default: its name. */
  title?: string;
  /** When the agent should do it. */
  do_when?: string;
  /** What it takes, each value under its name. */
  params?: Record<string, AgentActionParam>;
  /** Whether visitors are asked before it is done. */
  confirm?: boolean;
  /** How often it may be done in a minute of one conversation. */
  per_minute?: number;
  /** What visitors of other languages read, each under its code. */
  languages?: Record<string, AgentActionTranslation>;
}

/** A value that an action takes. */
export interface AgentActionParam {
  /** What it is. A text has at most 200 characters. */
  type: "string" | "number" | "integer" | "boolean";
  /** What it means, for the agent. */
  describe?: string;
  /** For a text: the values that it may have. */
  enum?: string[];
  /** For a number: the smallest. */
  minimum?: number;
  /** For a number: the largest. */
  maximum?: number;
  /** Whether it may be left out. */
  optional?: boolean;
}

/** An action in another language. */
export interface AgentActionTranslation {
  /** What visitors read when they are asked. */
  title?: string;
}

/** Who counts as qualified, in words that a stranger could apply. */
export interface AgentQualification {
  /** What makes a prospect qualified: a text, or a list of criteria that must all be met. `svc agents plan` shows how a text is split. */
  qualified: string | string[];
  /** What rules a prospect out: a text, or a list of criteria of which one is enough. */
  disqualified?: string | string[];
}

/** Where the agent stops. */
export interface AgentLimits {
  /** The longest conversation, in minutes. */
  max_minutes?: number;
  /** Most conversations at the same time. Default: the account's limit. */
  at_once?: number;
  /** Most sessions started in a day (UTC). Default: the account's limit. */
  daily_starts?: number;
  /** Most money spent on models and speech in a day (UTC), in the currency that they are paid in. Default: the account's limit. */
  daily_cost?: number;
}

export type AgentTheme = "light" | "dark" | "auto";

export type AgentMode = "voice" | "text";

/** How the sound of a call travels. */
export type AgentTransport = "livekit" | "ws";

export type AgentContentKind = "image" | "markdown" | "video" | "code" | "table" | "tour";

export type AgentTool =
  | "show_content"
  | "ask_email"
  | "search_knowledge"
  | "talk_to_a_person"
  | "end_session";

/** Six people, and an orb for brands that want no face. */
export type AgentAvatar = "ash" | "birch" | "cedar" | "hazel" | "linden" | "rowan" | "orb";

/** A picture of your own in place of a face of ours. */
export interface AgentPoster {
  /** An image in the agent's folder, best square and at least 400 pixels wide. */
  poster: string;
  /** A short video in the agent's folder that plays without sound, again and again, where the visitor has nothing against motion. */
  loop?: string;
}
