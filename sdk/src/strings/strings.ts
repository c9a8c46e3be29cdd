/** Everything a visitor reads beside what the agent says and what the specification words. `{…}` is filled in. */
export interface Strings {
  aiGuide: string;
  invitation: string;
  talk: string;
  write: string;
  /** Where there is no voice to choose. */
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

  contentFailed: string;

  /** Where not even the words for it can be loaded. */
  unreachable: string;
}

/** The languages that somebody has reviewed. Others read English. */
const REVIEWED = ["en", "de", "fr", "es"] as const;
export type Reviewed = (typeof REVIEWED)[number];

export function reviewed(language: string): Reviewed {
  return REVIEWED.find((code) => code === language.split("-")[0]) ?? "en";
}

/** Fills `{name}` and the like in. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
