import type {
  AgentActionParam,
  AgentAvatar,
  AgentContentKind,
  AgentCta,
  AgentMode,
  AgentTool,
  Words,
} from "@svc/contract/types";

/**
 * One complete version of an agent: defaults are filled in, and files are named by their hash.
 * Everything whose order matters is a list.
 */
export interface AgentConfig {
  name: string;
  brand: {
    name: string;
    logo?: StoredFile;
    link?: string;
    privacy?: string;
    cta?: AgentCta;
    colors?: { primary?: string; text?: string };
  };
  /** Absent when it follows the visitor's device, as in versions that are older than this field. */
  theme?: "light" | "dark";
  modes: AgentMode[];
  /** Present where sound never travels over LiveKit. */
  transport?: "ws";
  languages: AgentConfigLanguage[];
  defaultLanguage: string;
  recordLanguage: string;
  persona?: string;
  instructions?: string;
  knowledge: StoredFile[];
  /** All that it can show: slides, and the places of pages. */
  content: ({
    id: string;
    title: string;
    kind: AgentContentKind | "place";
    showWhen?: string;
    languages?: ContentTranslation[];
  } & (ShownFile | ShownLink))[];
  /** What it may have pages do. Absent where there is nothing, as in versions that are older than this field. */
  actions?: ConfigAction[];
  /** In the order in which the agent asks them. */
  questions: { key: string; text: string }[];
  insights: { key: string; text: string }[];
  qualification?: { qualified: string; disqualified?: string; items?: CriterionItem[] };
  tools: AgentTool[];
  /** If a limit is absent, the account's limit applies. */
  limits: { maxMinutes: number; atOnce?: number; dailyStarts?: number; dailyCost?: number };
  /** When empty, any origin may start the agent. */
  allowedOrigins: string[];
  testOrigins: string[];
  avatar: AgentAvatar | { poster: StoredFile; loop?: StoredFile };
  /** An https or mailto address. */
  person?: string;
  followUp: boolean;
}

export interface AgentConfigLanguage {
  code: string;
  voice?: string;
  greeting?: string;
  notice?: string;
  /** Our own texts, in a language that is not built in. Absent in versions that are older than these texts. */
  words?: Words;
  /** The same, for browsers to load. */
  wordsFile?: StoredFile;
}

/** What of a content is different for visitors of another language. */
export interface ContentTranslation extends Partial<ShownFile> {
  code: string;
  title?: string;
  link?: string;
}

/** What a page may be asked to do. */
export interface ConfigAction {
  /** The name that the page registers it by. */
  id: string;
  describe: string;
  title: string;
  doWhen?: string;
  params: ActionParam[];
  confirm: boolean;
  perMinute: number;
  languages?: { code: string; title: string }[];
}

export interface ActionParam extends AgentActionParam {
  key: string;
}

/** A link to a picture or video, or to the page of a place. */
export interface ShownLink {
  /** Of a place: empty where it is on the visitor's own page. */
  link: string;
  place?: { selector: string; confirm: boolean };
}

/** A file of the content. */
export interface ShownFile {
  file: StoredFile;
  /** The same as data, which the call draws. Absent where the call draws the file itself. */
  slide?: StoredFile;
  /** Other files that the slide shows. */
  media?: StoredFile[];
  /** Of a tour: what each step shows, in words. */
  steps?: string[];
}

/** One of several criteria, which a visitor meets or not. */
export interface CriterionItem {
  /** `qualified_2`: the second that must be met. */
  key: string;
  side: "qualified" | "disqualified";
  text: string;
}

/** A file of the agent's folder. Its bytes are stored once per hash. */
export interface StoredFile {
  /** Relative to the agent's folder, with `/`. */
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
