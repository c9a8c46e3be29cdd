import type { AgentAvatar, AgentContentKind, AgentMode, AgentTool } from "@svc/contract/types";

/**
 * One version of an agent, complete: every default filled in, every file named by its hash. What
 * is asked, shown or offered in an order stands in a list.
 */
export interface AgentConfig {
  name: string;
  brand: {
    name: string;
    logo?: StoredFile;
    link?: string;
    colors?: { primary?: string; text?: string };
  };
  modes: AgentMode[];
  languages: { code: string; voice?: string; greeting?: string; notice?: string }[];
  defaultLanguage: string;
  recordLanguage: string;
  persona?: string;
  instructions?: string;
  knowledge: StoredFile[];
  content: ({ id: string; title: string; kind: AgentContentKind; showWhen?: string } & (
    | { file: StoredFile }
    | { link: string }
  ))[];
  /** In the order of asking. */
  questions: { key: string; text: string }[];
  insights: { key: string; text: string }[];
  qualification?: { qualified: string; disqualified?: string };
  tools: AgentTool[];
  /** What is absent is left to the account's limits. */
  limits: { maxMinutes: number; atOnce?: number; dailyStarts?: number; dailyCost?: number };
  /** Empty: any origin may start it. */
  allowedOrigins: string[];
  testOrigins: string[];
  avatar: AgentAvatar | { poster: StoredFile; loop?: StoredFile };
  /** An https or mailto address. */
  person?: string;
  followUp: boolean;
}

/** A file of the agent's folder. Its bytes are kept once, under their hash. */
export interface StoredFile {
  /** From the agent's folder, with `/`. */
  path: string;
  /** In hex. */
  sha256: string;
  size: number;
  mediaType: string;
}

/** A setting that works, and may still not be what the author meant. */
export interface PlanWarning {
  field: string;
  message: string;
}
