/** Drives the modules through their entry points and seeds rows, for tests and proofs only. */
export { type Certificates, type KeyAndCertificate, makeCertificates } from "./certificates.ts";
export * from "./customer.ts";
export * from "./database.ts";
export * from "./event-receiver.ts";
export * from "./live-world.ts";
export type { HeardSegment } from "./loudspeaker.ts";
export {
  type MailJob,
  type MailHarness,
  type MailHarnessOptions,
  openMailHarness,
} from "./mail-harness.ts";
export { mailHeaders, type MailServer, type ReceivedMail, startMailServer } from "./mail-server.ts";
export { PacedMicrophone, type Spoken } from "./paced-microphone.ts";
export * from "./platform-doubles.ts";
export * from "./play-conversation.ts";
export * from "./play-session.ts";
export { openPostOffice, type PostOffice, type PostOfficeOptions } from "./post-office.ts";
export {
  type DnsAnswer,
  type DnsQuestion,
  type ScriptedDns,
  startScriptedDns,
} from "@svc/rehearsal";
export { seedBulk, seedDeliveries, seedSettled } from "./seed-rows.ts";
export * from "./server-process.ts";
export * from "./write-built.ts";
export * from "./stored-rows.ts";
export { type SvcDesk, SvcUnderTest } from "./svc-desk.ts";
export { SvcProcess, type SvcRun, type SvcSurroundings } from "./svc-process.ts";
export { dispatchedRoom, joinVisitorRoom } from "./visitor-room.ts";
export { VoiceVisitor, type VoiceVisitorOptions } from "./voice-visitor.ts";
// What proofs compare the product with, or drive without a process of its own.
export { type ConsoleLogin, makeConsoleLink } from "#accounts";
export {
  findAgent,
  type KnowledgeSection,
  KnowledgeSearch,
  KnowledgeVectors,
  knowledgeSections,
  loaderSnippet,
  mintPreviewToken,
  plainConfig,
  type SearchKnowledge,
  sourcesOf,
} from "#agents";
export {
  ChatModels,
  DemoState,
  isFiller,
  loadSpeech,
  SignalReader,
  speakable,
  SpeechGuard,
  startConversation,
  withoutMarks,
} from "#conversation";
export type {
  ConversationListener,
  ConversationModels,
  DemoAgent,
  Media,
  MediaListener,
  ReplyRequest,
  SignalledSentence,
} from "#conversation";
export { pageNameOf } from "#platform";
export {
  type Conversation,
  JudgeError,
  judgeConversation,
  type Judgement,
  type Rubric,
  rubricOf,
} from "#evaluation";
export * as language from "#language";
export {
  createLanguageModel,
  EmbeddingClient,
  type EmbeddingModel,
  type LanguageModel,
} from "#models";
export {
  createEgress,
  createLog,
  createSmtpMail,
  MailError,
  type MailSettings,
  storable,
  systemClock,
} from "#platform";
export { digestDue, normalizeEmail } from "#sessions";
export {
  type RehearsalSpeech,
  speak,
  type SpeechFault,
  type SpeechOptions,
  startSpeech,
} from "@svc/rehearsal";
