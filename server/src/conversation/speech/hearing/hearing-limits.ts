/** How long a session waits for its recognisers. */
export interface HearingLimits {
  /** For a connection to open. */
  connectMs: number;
  /** A connection that has lasted so long counts as good, even if nobody has spoken. Longer than `connectMs`. */
  provenMs: number;
  /** Between one try and the next. */
  retryMs: number;
  /** Without any good connection, until speech is given up. Longer than a breaker keeps a provider from being asked. */
  giveUpMs: number;
  /** Sound that waits to be put into words. Longer than `giveUpMs`: what was said meanwhile is heard after all. */
  keptMs: number;
  /** A recogniser is deaf when it says nothing of so much voice … */
  deafVoiceMs: number;
  /** … for so long. Words in the making come every second. Doubled each time it proves wrong. */
  deafWaitMs: number;
}

export const hearingLimits: HearingLimits = {
  connectMs: 2_000,
  provenMs: 2_500,
  retryMs: 250,
  giveUpMs: 10_000,
  keptMs: 15_000,
  deafVoiceMs: 1_500,
  deafWaitMs: 3_000,
};
