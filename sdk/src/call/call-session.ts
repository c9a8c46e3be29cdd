/** A session to talk in: just started, with a ticket, or one that the page before has left. */
export interface CallSession {
  sessionId: string;
  liveUrl: string;
  ticket?: string;
  resumeToken?: string;
  test: boolean;
  /** What the visitor should read first. */
  hint?: string | undefined;
}
