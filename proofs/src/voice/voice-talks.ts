/** A visitor's side of a whole demo by voice, line by line. */
export interface VoiceTalk {
  language: string;
  metadata: Record<string, string>;
  /** Confirmed on the card. */
  email: string;
  /** Its answer is heard to the end. */
  question?: string;
  /** Its answer is cut. */
  cutQuestion: string;
  /** Cuts it, and brings the card. */
  asksForEmail: string;
  goodbye: string;
}

export const ENGLISH: Required<VoiceTalk> = {
  language: "en",
  metadata: { plan: "trial" },
  email: "dana@example.com",
  question: "Does it run in the cloud?",
  cutQuestion: "What do I get after a session?",
  asksForEmail: "I would like you to send me something so please email me.",
  // A recogniser spells the "goodbye" of a synthetic voice in many ways.
  goodbye: "I think that is all.",
};

export const GERMAN: Required<VoiceTalk> = {
  language: "de",
  metadata: { plan: "trial" },
  email: "jonas@example.com",
  question: "Läuft das in der Cloud?",
  cutQuestion: "Was bekomme ich nach einer Sitzung?",
  asksForEmail: "Bitte schicken Sie mir etwas per E-Mail.",
  goodbye: "Vielen Dank und auf Wiedersehen.",
};

export function linesOf({ question, cutQuestion, asksForEmail, goodbye }: VoiceTalk): string[] {
  return [...(question === undefined ? [] : [question]), cutQuestion, asksForEmail, goodbye];
}
