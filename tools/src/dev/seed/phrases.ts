/** What is said in one language. The agent speaks for Svc, so what it says of Svc must be true. */
export interface Phrases {
  greeting: string;
  /** Why the visitor came. `topic` continues "We spoke about …"; `shown` is said once a slide is up. */
  needs: Record<Need, { said: string; topic: string; reply: string; shown: string }>;
  /** What visitors ask. */
  questions: Record<Question, { said: string; reply: string }>;
  objections: Record<Objection, { said: string; reply: string }>;
  /** Visitors who came for something else. */
  unfit: Record<Unfit, { said: string; reply: string }>;
  currentTools: Record<CurrentTool, string>;
  deciders: Record<Decider, string>;
  monthlyVisitors: { ask: string; said: ((people: number) => string)[]; thanks: string };
  timeline: { ask: string; said: Record<Timeline, string>; thanks: string };
  introduction(person: Person): string;
  /** Said by a visitor who cuts in. */
  cutIn: string[];
  emailCard: { offer: string; thanks: string };
  goodbye: { visitor: string[]; agent: string };
  prospectSummary(person: Person | undefined, topic: string): string;
  people: { first: string[]; last: string[] };
  companies: string[];
}

export interface Person {
  first: string;
  last: string;
  company: string;
}

// The record is written in English, whatever was spoken.

export type Need =
  | "after_hours"
  | "repeated_demos"
  | "own_warehouse"
  | "several_languages"
  | "self_hosting"
  | "lead_quality"
  | "lost_trials"
  | "hard_to_explain";
export const NEEDS: Record<Need, string> = {
  after_hours: "a guide for visitors outside office hours",
  repeated_demos: "fewer first demos for account managers",
  own_warehouse: "conversations in their own data warehouse",
  several_languages: "demos in languages the team does not speak",
  self_hosting: "software that runs on their own servers",
  lead_quality: "to learn what people who fill in the contact form need",
  lost_trials: "to guide trial users through their first hour",
  hard_to_explain: "a way to show a product that is hard to explain in text",
};

export type Question =
  | "recording"
  | "interrupting"
  | "crm"
  | "cost"
  | "installing"
  | "retention"
  | "spreadsheet"
  | "person"
  | "phone"
  | "inventing"
  | "changing";
export const QUESTIONS: Record<Question, [question: string, answer: string]> = {
  recording: ["Is the audio recorded?", "No, only the transcript is kept."],
  interrupting: [
    "What happens when a visitor cuts in?",
    "The agent stops, and the transcript keeps only what was heard.",
  ],
  crm: ["How do sessions reach the CRM?", "By a signed webhook after each evaluation."],
  cost: ["What does it cost?", "It is open source; servers, speech and language models are paid."],
  installing: ["How much work is the installation?", "One snippet on the page."],
  retention: ["How long is the data kept?", "A year by default, set per account."],
  spreadsheet: ["Can the data be opened in a spreadsheet?", "Yes, by the CSV link."],
  person: ["Can a visitor reach a person?", "Yes, at any moment, by one button."],
  phone: ["Does it work on a phone?", "Yes, and one can type instead of talking."],
  inventing: [
    "Does the agent make things up?",
    "It answers from its knowledge or says it doesn't know.",
  ],
  changing: ["How is the agent changed?", "In a file that is applied as a new version."],
};

export type Objection =
  | "robots"
  | "machine_summaries"
  | "security_review"
  | "too_small"
  | "no_engineers";
export const OBJECTIONS: Record<Objection, [objection: string, response: string]> = {
  robots: [
    "Customers dislike talking to robots.",
    "The agent says what it is at once, typing is possible, and a person is one click away.",
  ],
  machine_summaries: [
    "Summaries written by a machine are not trusted.",
    "Every claim is backed by a quote, and what cannot be proven is left out.",
  ],
  security_review: [
    "The security review will take months.",
    "The code is open, runs in their network and keeps no audio.",
  ],
  too_small: ["The company may be too small.", "One small server and a single page are a start."],
  no_engineers: [
    "There are no engineers to spare.",
    "The page needs one snippet, and the agent is a file anybody can edit.",
  ],
};

export type Timeline = "this_month" | "this_quarter" | "next_year" | "looking_around";
export const TIMELINES: Record<Timeline, string> = {
  this_month: "This month",
  this_quarter: "This quarter",
  next_year: "Not before next year",
  looking_around: "No plan yet",
};

export type Unfit = "job_search" | "own_offer" | "no_website";
export const UNFIT: Record<Unfit, string> = {
  job_search: "is looking for a job",
  own_offer: "wanted to sell a service",
  no_website: "has no website",
};

export type CurrentTool = "video" | "chat" | "calendar";
export const CURRENT_TOOLS: Record<CurrentTool, string> = {
  video: "A video that hardly anybody watches to the end",
  chat: "A chat window that keeps people waiting",
  calendar: "Booked dates that half of the people miss",
};

export type Decider = "manager" | "engineering" | "board";
export const DECIDERS: Record<Decider, string> = {
  manager: "The head of marketing",
  engineering: "The engineers",
  board: "The board",
};
