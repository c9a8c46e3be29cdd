/**
 * Types of the Svc SDK. Works by reference, where everything below is global:
 *
 *     /// <reference path="./sdk.d.ts" />
 *
 * and by import:
 *
 *     import type { SvcSDK, SessionData } from "./sdk";
 */
type TheSvcSDK = SvcSDK;
type TheSessionData = SessionData;
export type { TheSessionData as SessionData, TheSvcSDK as SvcSDK };

declare global {
  /** The SDK, once its script has loaded; before that, a stand-in of the snippet that waits for it. */
  var Svc: SvcSDK;

  interface Window {
    Svc: SvcSDK;
    SvcConfig?: SvcConfig | SvcEarlierConfig;
  }

  /** Set before the SDK's script is loaded. */
  interface SvcConfig {
    /** The agent's identifier: `agent_` and an opaque part. */
    agentId: string;
    /** Custom recording-notice text shown in the demo session: at most 4,000 characters. One that cannot be used is explained in the console, and the agent's own is shown. */
    recordingNotice?: string;
  }

  /** For pages that load the SDK from its earlier address. */
  interface SvcEarlierConfig {
    /** The account's client identifier, which stands for the account's default agent. */
    clientId: string;
    /** As in `SvcConfig`. */
    recordingNotice?: string;
  }

  /**
   * What the site knows of the visitor. Strings are kept as they are; other values are JSON-encoded;
   * `undefined` and functions are left out. At most 64 keys, 8,192 bytes a value and 32,768 in all: more,
   * or a value that JSON cannot hold, is refused as `metadata_too_large`, and the console says which.
   */
  interface SessionData {
    /** Becomes the session's `email`; its domain is verified. */
    email?: string;
    [key: string]: unknown;
  }

  /** `SessionData`, or an object of a type of your own whose `email`, if it has one, is a string. */
  type SvcMetadata = SessionData | (object & { email?: string });

  interface SvcStartConfig {
    /** Merged over what `setMetadata` has set. */
    metadata?: SvcMetadata;
    /** A language code. Default: the visitor's browser languages, then the agent's default. */
    language?: string;
    /** @deprecated Use `metadata`. */
    sessionData?: SvcMetadata;
  }

  type SvcStartResult =
    | { opened: true }
    | { opened: false; reason: SvcRefusal | "metadata_too_large" | "already_open" };

  /** Why no demo can be started. */
  type SvcRefusal =
    | "agent_unknown"
    /** The preview link that was opened in this tab has expired, or is for another agent. */
    | "preview_invalid"
    | "agent_paused"
    | "origin_not_allowed"
    | "unsupported_browser"
    /** By `checkClient`: the visitor has forbidden it here, and the agent has no text mode. */
    | "microphone_blocked"
    | "at_capacity"
    | "too_many_starts"
    | "daily_cap"
    | "service_unavailable"
    | "offline";

  interface SvcEligibility {
    allowed: boolean;
    /** `null` when allowed. */
    reason: SvcRefusal | null;
  }

  /** What happens, and what a listener is given. */
  interface SvcEvents {
    /** The overlay is open. Nothing has been stored. */
    open: Record<string, never>;
    /** The visitor accepted the notice, and the session exists. */
    started: { sessionId: string; language: string; test: boolean };
    /** The visitor confirmed an address. */
    email: { email: string };
    /** The conversation is over. */
    ended: { sessionId: string; reason: string };
    /** The overlay is closed, or its page is left. */
    closed: Record<string, never>;
    /** The overlay opened, but the session could not be started. */
    unavailable: { reason: SvcRefusal };
  }

  /** Asks for one thing before the demo starts. */
  interface SvcCollectData {
    /** The metadata key under which the value is added. `email` collects the prospect's address. */
    dataKey: string;
    /** Default `Enter your email`. */
    placeholder?: string;
    /** Above the input. Default `Start your demo` in the widget; the hero has none. */
    formTitle?: string;
    /** Gets the value as it was typed. `true` if it is valid, otherwise what to tell the visitor. */
    validator?: (value: string) => boolean | string | Promise<boolean | string>;
  }

  type SvcWidgetPosition =
    | "top-left"
    | "top-right"
    | "bottom-left"
    | "bottom-right"
    | "top-center"
    | "bottom-center"
    | "left-center"
    | "right-center";

  interface SvcWidgetConfig {
    /** Default `bottom-right`. */
    position?: SvcWidgetPosition;
    /** Default `Talk to an agent`. */
    ctaText?: string;
    /** Buttons and the input's focus border; replaces the default gradient. */
    primaryColor?: string;
    /** Text on buttons. Default `white`. */
    textColor?: string;
    collectData?: SvcCollectData;
  }

  interface SvcHeroConfig {
    /** Of the avatar's area, in pixels. Default: fills the container. */
    width?: number;
    height?: number;
    /** Default `Start demo now`. */
    ctaText?: string;
    /** Buttons and form elements. */
    primaryColor?: string;
    /** Text on buttons. Default `white`. */
    textColor?: string;
    collectData?: SvcCollectData;
  }

  /** A floating way in. */
  interface SvcWidget {
    /** Only stores the configuration; it is seen at the next `show()`. */
    configure(config: SvcWidgetConfig): void;
    show(): void;
    hide(): void;
    /** To the full interface. While the widget is hidden, it takes effect at the next `show()`. */
    expand(): void;
    /** To the minimal state. Only a collapse by the visitor is remembered on later pages. */
    collapse(): void;
  }

  /** A block of the page with the agent's face. Its elements have classes that begin with `svc-hero-`. */
  interface SvcHero {
    /** Replaces a hero that was mounted before. */
    mount(container: HTMLElement, config?: SvcHeroConfig): void;
    unmount(): void;
  }

  /** A value that an action takes, as in `agent.yaml`. A text has at most 200 characters. */
  interface SvcActionParam {
    type: "string" | "number" | "integer" | "boolean";
    /** For a text: the values that it may have. */
    enum?: string[];
    /** For a number. */
    minimum?: number;
    maximum?: number;
    /** It may be left out. */
    optional?: boolean;
  }

  /** Something that the page does when the agent asks for it. */
  interface SvcAction {
    /** For whoever reads the page's code. The agent reads what `agent.yaml` says. */
    describe?: string;
    /** Each value under its name. Others are not taken. */
    params?: Record<string, SvcActionParam>;
    /**
     * Does it, within ten seconds. What it returns, at most 500 characters, is told to the agent as data; an error that it throws
     * is told too.
     */
    run(params: Record<string, string | number | boolean>): unknown;
  }

  /** Actions by the names that `agent.yaml` declares. `null` takes one away. */
  type SvcActions = Record<string, SvcAction | null>;

  interface SvcPageActions {
    /** The agent can ask for those that its version declares too, and for no others. */
    register(actions: SvcActions): void;
  }

  interface SvcSDK {
    /**
     * Opens the demo agent in a modal overlay. Resolves when the overlay is open, or with the reason
     * why it is not, such as `agent_paused`; never rejects.
     */
    startDemo(config?: SvcStartConfig): Promise<SvcStartResult>;
    /** Sets metadata once for every demo started on the page. Replaces what was set before. */
    setMetadata(metadata: SvcMetadata): void;
    /** @deprecated Use `setMetadata`. */
    setSessionData(metadata: SvcMetadata): void;
    /** Counts, once, when the button becomes visible in the viewport. */
    trackButtonView(element: HTMLElement): void;
    /** The agent's languages, those of the visitor's browser first. Empty when the service cannot be reached. */
    getLanguages(): Promise<string[]>;
    /** Whether a demo could be started now. For showing or hiding demo buttons. Never rejects. */
    checkClient(): Promise<SvcEligibility>;
    /**
     * Ends the open demo, if there is one. A conversation ends with its goodbye screen, which stays until
     * the visitor closes it or this is called again; before there is one the overlay closes.
     */
    endDemo(): void;
    /** Calls the listener whenever that happens. What it throws does not reach the SDK. */
    on<Name extends keyof SvcEvents>(
      event: Name,
      listener: (detail: SvcEvents[Name]) => void,
    ): void;
    /** Takes a listener away. */
    off<Name extends keyof SvcEvents>(
      event: Name,
      listener: (detail: SvcEvents[Name]) => void,
    ): void;
    readonly actions: SvcPageActions;
    readonly widget: SvcWidget;
    readonly hero: SvcHero;
    /** Resolves once the SDK has loaded. */
    readonly ready: Promise<void>;
    readonly version: string;
  }
}
