/** Nobody is left who could speak. The conversation goes on in text. */
export class VoiceAway extends Error {
  constructor(failures: unknown[]) {
    const why = failures.map((error) => (error instanceof Error ? error.message : "failed"));
    super(`nobody is left to speak: ${why.join("; ")}`, { cause: failures.at(-1) });
    this.name = "VoiceAway";
  }
}
