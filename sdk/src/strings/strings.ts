/** Everything a visitor reads beside what the agent says and what the specification words. `{…}` is filled in. */
export interface Strings {
  aiGuide: string;
  invitation: string;
  type: string;
  cancel: string;
  language: string;
  testSession: string;

  connecting: string;
  listening: string;
  thinking: string;
  speaking: string;
  reconnecting: string;

  conversation: string;
  you: string;
  message: string;
  send: string;
  end: string;
  minimize: string;
  restore: string;
  person: string;
  personText: string;

  emailTitle: string;
  emailHelp: string;
  emailLabel: string;
  emailConfirm: string;
  emailDismiss: string;
  emailInvalid: string;
  emailDone: string;

  previous: string;
  next: string;
  slide: string;
  openVideo: string;
  contentFailed: string;

  timeWarning: string;
  idleWarning: string;

  /** What the goodbye screen says, by why the conversation ended. */
  ended: Record<
    | "visitor_ended"
    | "agent_ended"
    | "silence"
    | "max_duration"
    | "max_cost"
    | "visitor_gone"
    | "server_fault",
    string
  >;
  endedTitle: string;
  nextWithEmail: string;
  nextWithoutEmail: string;
  copy: string;
  copied: string;
  rate: string;
  stars: string;
  rated: string;
  close: string;
  again: string;

  /** What is said when no call can be had, and what can be done. */
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
  troubleTitle: string;
}

/** Fills `{name}` and the like in. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
