/** The texts that a call needs from its start. Others come with the chunks that show them. `{…}` is a placeholder. */
export interface Strings {
  aiGuide: string;
  invitation: string;
  talk: string;
  write: string;
  /** For agents without voice. */
  type: string;
  cancel: string;
  language: string;

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
  voiceGone: string;

  conversation: string;
  you: string;
  message: string;
  send: string;
  end: string;
  minimize: string;
  restore: string;
  person: string;
  /** Names the button that shows the notice during the call, and its window. */
  about: string;
  close: string;

  contentFailed: string;

  /** Shown where the chunk with a better explanation cannot be loaded. */
  unreachable: string;
}

/** The languages with reviewed translations. Visitors with another language read English. */
const REVIEWED = ["en", "de", "fr", "es"] as const;
export type Reviewed = (typeof REVIEWED)[number];

export function reviewed(language: string): Reviewed {
  return REVIEWED.find((code) => code === language.split("-")[0]) ?? "en";
}

/** Replaces placeholders such as `{name}`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
