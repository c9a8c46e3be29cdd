import { randomBytes } from "node:crypto";

/** Somebody whose every word can be found again: each place where they leave data has a mark of its own. */
export interface MarkedPerson {
  email: string;
  metadata: Record<string, string>;
  /** What they say. */
  lines: string[];
  /** By where it came in. */
  marks: Record<string, string>;
}

export function markedPerson(): MarkedPerson {
  const mark = (): string => `qx${randomBytes(6).toString("hex")}`;
  const marks = {
    email: `${mark()}@mail.example`,
    metadata: mark(),
    form: mark(),
    speech: mark(),
  };
  return {
    email: marks.email,
    marks,
    metadata: {
      name: `Quorra ${marks.metadata}`,
      // As the SDK sends what a form collected.
      company: marks.form,
    },
    lines: [
      `We sell garden tools at ${marks.speech}, and visitors should understand them.`,
      "About 8,000 people visit it in a month.",
      "Next month would be good.",
      "Please send me something by email.",
      "Yes, by email please.",
    ],
  };
}
