import type { LiveEndReason } from "./live.ts";

/**
 * Every text of ours that a visitor reads or hears, in one language. `contract/words/` has a file for each
 * built-in language. `{…}` is a placeholder; a translation has the same ones as the English text.
 */
export interface Words {
  /** The code of the language that the texts are written in, such as `en` or `pt-BR`. */
  language: string;
  spoken: SpokenWords;
  /** Read before the start, where an agent has no notice of its own: an AI speaks, and what is stored. */
  notice: string;
  page: PageWords;
  form: FormWords;
  call: CallWords;
  cards: CardWords;
  microphone: MicrophoneWords;
  content: ContentWords;
  preview: PreviewWords;
  mail: MailWords;
  person: PersonWords;
  recipients: RecipientWords;
}

/**
 * What an agent says without asking a model. Only the greeting may ask: a question mark in another of them
 * would count as the question that was due.
 */
export interface SpokenWords {
  /** `{name}` is the agent's, `{brand}` the customer's. */
  greeting: string;
  /** To a visitor who goes on talking after the end. `{name}` is the agent's. */
  greeting_again: string;
  not_understood: string;
  /** While a model thinks. */
  sign_of_life: string;
  /** To a visitor whose call another process goes on with. Versions of agents from before this text have none. */
  was_gone: string;
  /** When no model has answered. */
  one_moment: string;
  technical_goodbye: string;
  wrap_up_time: string;
  wrap_up_cost: string;
  /** In place of a fact that is found nowhere. */
  do_not_know: string;
  /** When the visitor has said nothing for a while. */
  nudge: string;
}

/** Shown by widget and hero before an agent is known, in the browser's language. */
export interface PageWords {
  /** What happens after the click on the button. */
  about: string;
  collapse: string;
}

/** Under the field of widget and hero, in the browser's language. */
export interface FormWords {
  missing: string;
  wrong: string;
}

/** What a call needs from its start. */
export interface CallWords {
  ai_guide: string;
  invitation: string;
  /** The button that the texts of `microphone` name. */
  talk: string;
  write: string;
  /** For agents without voice. */
  type: string;
  cancel: string;
  language: string;

  /** `{name}` is the agent's. Until it has said something. */
  joining: string;
  connecting: string;
  listening: string;
  thinking: string;
  speaking: string;
  reconnecting: string;

  /** By voice. */
  hears: string;
  speaks: string;
  muted: string;
  allow: string;
  mute: string;
  voice_gone: string;

  conversation: string;
  you: string;
  end: string;
  restore: string;
  close: string;

  content_failed: string;

  /** Shown where the chunk with a better explanation cannot be loaded. */
  unreachable: string;
}

/** Cards, warnings and endings. */
export interface CardWords {
  time_warning: string;
  idle_warning: string;

  /** Asked before a conversation ends by a click; the other answer is `end` of the call. */
  end_question: string;
  stay: string;

  message: string;
  send: string;
  minimize: string;
  /** Names the button that shows the notice during the call, and its window. */
  about: string;

  person: string;
  /** Beside the icon, where the whole text has no room. */
  person_short: string;
  person_text: string;
  email_title: string;
  email_help: string;
  email_label: string;
  email_confirm: string;
  email_dismiss: string;
  email_invalid: string;
  email_done: string;
  email_instead: string;
  /** Of the card that opens again because the domain accepts no mail. */
  email_doubt: string;
  email_use: string;
  email_correct: string;
  email_right: string;
  /** Asked before the page does something. `{title}` is the owner's name for it. */
  action_ask: string;
  action_yes: string;
  action_no: string;
  microphone: string;
  /** Names a link below an answer. `{title}` is of the page that the answer comes from. */
  source: string;
  test_session: string;

  /** Why the conversation ended. */
  reasons: Record<LiveEndReason, string>;
  title: string;
  /** Only where the server says that a mail follows. */
  next_mail: string;
  next_noted: string;
  next_without_email: string;
  /** Above the slides that were shown. */
  seen: string;
  /** Begins a further session. */
  go_on: string;
  copy: string;
  copied: string;
  /** Shown where the browser refuses. */
  not_copied: string;
  rate: string;
  stars: string;
  rated: string;
  close: string;
  again: string;

  /** Why no call can be started, and what the visitor can do. */
  trouble: Record<
    | "agent_unknown"
    | "agent_paused"
    | "origin_not_allowed"
    | "at_capacity"
    | "too_many_starts"
    | "daily_cap"
    | "service_unavailable"
    | "offline"
    | "elsewhere"
    | "moved",
    string
  >;
  trouble_title: string;
}

export interface MicrophoneWords {
  /** What happened, and what the visitor can do. */
  problems: Record<
    "denied" | "dismissed" | "none" | "busy" | "insecure" | "policy" | "removed" | "sound",
    TitledText
  >;
  /** How to allow the microphone in this browser. */
  help: Record<"chrome" | "chrome_phone" | "firefox" | "safari" | "safari_phone" | "other", string>;
  /** Shown when the visitor has allowed it in the settings. */
  allowed: TitledText;
  /** The button for it after a page change, where the browser plays no sound before a tap. */
  talk_again: string;
}

export interface TitledText {
  title: string;
  text: string;
}

/** Around slides and videos. */
export interface ContentWords {
  previous: string;
  next: string;
  enlarge: string;
  open_video: string;
  /** On the button beside code. */
  copy: string;
  copied: string;
  /** Asked before the page changes. `{title}` is the caption of a place, here and below. */
  place_ask: string;
  place_open: string;
  place_stay: string;
  place_missing: string;
  /** For a place of another site. `{host}` is its name. */
  place_elsewhere: string;
}

/** For whoever tries an agent by a preview link. */
export interface PreviewWords {
  ribbon: string;
  invalid_title: string;
  invalid: string;
  close: string;
}

/** The fixed texts of our mails. */
export interface MailWords {
  follow_up: {
    /** Subject and heading. */
    subject: string;
    thanks: string;
    by_ai: string;
    /** For a mail whose summary had to be removed. */
    no_summary: string;
    rights: string;
    /** The second link, where what was said is shown only after a confirmation. */
    confirm: string;
    why: string;
    not_you: string;
    unsubscribe: string;
  };
  deletion: {
    subject: { conversation: string; everything: string };
    conversation: string;
    everything: string;
    /** Copies at the customer, which our deletion does not reach. */
    copies: string;
    receipt: string;
    last: string;
  };
}

/** The pages behind a mail's links. */
export interface PersonWords {
  rights: {
    title: string;
    intro: string;
    /** The address of the page is the only key to it. */
    keep_link: string;
    /** In place of the conversation, until the reader has confirmed. Quotes the mail's second link. */
    unconfirmed: string;
    said: string;
    you: string;
    /** Explains why a line ends with a dash. */
    cut: string;
    nothing_said: string;
    kept: string;
    address: string;
    summary: string;
    from_page: string;
    assessment: string;
    assessment_is: string;
    /** Leads to the list of recipients. */
    heard: string;
    heard_is: string;
    until: string;
    until_is: string;
    download: string;
    delete: string;
    delete_conversation: string;
    delete_everything: string;
  };
  /** The page behind the second link. */
  claim: { title: string; question: string; yes: string; not_you: string };
  confirm: {
    conversation: string;
    everything: string;
    goes: string;
    everything_goes: string;
    final: string;
    copies: string;
    yes: string;
    no: string;
  };
  deleted: {
    title: string;
    conversation: string;
    everything: string;
    copies: string;
    /** Names what a deletion does not reach at once. */
    backups: string;
    receipt: string;
    receipt_is: string;
  };
  unsubscribe: {
    title: string;
    question: string;
    yes: string;
    done_title: string;
    done: string;
    /** For a conversation that is gone, and with it whose address it was. */
    unnamed: { title: string; question: string; done: string };
  };
  dead_link: PageTrouble;
  too_many: PageTrouble;
  unavailable: PageTrouble;
}

/** The page about who gets what visitors say. `{brand}` is the customer's. */
export interface RecipientWords {
  /** Under the notice. */
  link: string;
  title: string;
  intro: string;
  brand_gets: string;
  service_gets: string;
  /** Above what the service needs nobody else for. */
  own: string;
  services: string;
  /** What each gets, by what it does. */
  purposes: Record<
    "answers" | "hearing" | "voice" | "sound" | "search" | "assessment" | "mail" | "records",
    string
  >;
  days: string;
  no_days: string;
  days_unknown: string;
  privacy: string;
  rights: string;
  ask: string;
  by_mail: string;
  privacy_of: string;
  version: string;
}

/** Why a page cannot be shown. */
export interface PageTrouble {
  title: string;
  why: string;
  fix: string;
}
