/** What is said in one language. `{n}` is a number, `{name}` a name, `{month}` a month, `{mail}` an address. */
export interface Phrasebook {
  greeting: string;
  /** What the agent asks, what the visitor replies, how it is written down, and how it is configured. */
  topics: [ask: string, reply: string, value: string, configured: string][];
  /** What the visitor asks, what the agent answers, and how both are written down. */
  questions: [asked: string, answer: string, question: string, text: string][];
  objections: [objection: string, response: string, noted: string, text: string][];
  /** The visitor says who they are. */
  named: string;
  filler: string[];
  /** The agent goes on, and is cut off within. */
  monologue: [heard: string, unheard: string];
  /** True whatever was said, or once its slots are filled. */
  summary: string[];
  plain: string[];
  criteria: string;
  /** A sentence that repeats the criteria. */
  leak: string;
  /** Attempts at talking the verdict out of whoever judges. */
  injections: string[];
  /** Numbers as words. */
  spelled: [words: string, digits: string][];
  months: string[];
}
