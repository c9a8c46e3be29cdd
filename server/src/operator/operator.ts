import type { SpeechCheck } from "#conversation";
import type { EvaluationModels } from "#evaluation";
import type { EmbeddingPlace, LanguageModelOptions } from "#models";
import type { AddressMarks } from "#followup";
import type {
  Clock,
  Db,
  EgressOptions,
  JobSender,
  MailSettings,
  ProcessRole,
  Secrets,
  SpeechSettings,
} from "#platform";

/** The server that is asked in place of the database. */
export interface AdminServer {
  url: string;
  /** Of a person of the console. */
  token: string;
}

/** The dependencies of a command. Opened when first used, so that `--help` needs no database. */
export interface Operator {
  /** Which release this is; its commit where that was set when it was built. */
  release(): { version: string; commit: string | undefined };
  db(): Db;
  /** The address of the export's role, for `db migrate`. */
  exportDatabaseUrl(): string;
  cell(): string;
  /** The address customers use, where it is known here. */
  publicUrl(): string | undefined;
  /** Where browsers open a session's socket, where it is known here. */
  liveUrl(): string | undefined;
  /** The most connections that a process of that role opens with these settings. */
  connectionsOf(role: ProcessRole): number;
  /** Variables that keep the server from starting, with what they mean. */
  configProblems(): { name: string; problem: string; meaning: string }[];
  /** Writes jobs for the pipeline. */
  jobs(): JobSender;
  /** The configured models, those of the pipeline; another name in place of the first with `named`. */
  models(named?: string): EvaluationModels;
  /** The models that talk with visitors; with `other`, that one alone, at another address where it names one. */
  conversationModels(other?: { name?: string | undefined; url?: string | undefined }): ModelPlaces;
  /** The same models and those that evaluate, unasked; undefined where none is set up. */
  modelPlaces(): Record<"conversation" | "evaluation", ModelPlaces | undefined>;
  /** The model that says what knowledge means; undefined where words alone are searched. */
  embeddingPlace(): EmbeddingPlace | undefined;
  /** The names in SVC_MODEL_PRESETS and SVC_MODEL_BODY that no model in use has. */
  unusedModelNames(): { variable: string; model: string }[];
  /** Models whose price is set, and is zero. */
  freeModels(): ReadonlySet<string>;
  /** Returns the folder that the SDK is served from; undefined in a role that serves none. */
  sdkFolder(): string | undefined;
  /** Speech-to-text and text-to-speech; undefined where visitors can only type. */
  speech(): OperatorSpeech | undefined;
  /** Seals and opens webhook secrets. */
  secrets(): Secrets;
  /** The mail server; undefined where there is none. */
  mail(): MailSettings | undefined;
  /** Computes the marks that are stored in place of mail addresses. */
  addressMarks(): AddressMarks;
  /** Returns the addresses at which receivers are allowed, and the name servers that resolve them. */
  receivers(): EgressOptions;
  clock: Clock;
  /** The server that is asked in place of the database. */
  readonly server?: AdminServer;
  /** SVC_SERVER and SVC_SERVER_TOKEN. */
  serverSettings(): { url: string | undefined; token: string | undefined };
  /** The person at the command line, as the audit stores an `Actor`. */
  readonly actor: string;
  /** The folder that relative paths start from. */
  directory: string;
  /** Shows how far something long is, for people only; the last call with `done === total` ends the line. */
  progress(done: number, total: number | undefined, what: string): void;
  /** From now on ctrl-C aborts this instead of ending the process. A second one ends it. */
  interrupted(): AbortSignal;
  /** A remark for people that is no part of the output. */
  note(text: string): void;
}

export interface OperatorSpeech {
  settings: SpeechSettings;
  /** Loads the code that speaks and hears, which blocks this process. */
  load(): Promise<void>;
  /** Says something and listens to it. Asked again, it answers the same. */
  check(): Promise<SpeechCheck[]>;
}

/** The endpoints of models, known before the code that calls them is loaded. */
export interface ModelPlaces {
  first: Omit<LanguageModelOptions, "clock">;
  fallback: Omit<LanguageModelOptions, "clock"> | undefined;
}
