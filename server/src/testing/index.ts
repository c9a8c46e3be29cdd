/** Drives the rooms' doors and seeds rows, for tests and proofs only. */
export { applyFolder, mistakesIn, planFolder } from "./agent-files.ts";
export { captureLog, type CapturedLog } from "./captured-log.ts";
export { createEgress, createSmtpMail, MailError, type MailSettings } from "#platform";
export { normalizeEmail } from "#sessions";
export { type Certificates, type KeyAndCertificate, makeCertificates } from "./certificates.ts";
export { changeAccount } from "./change-account.ts";
export { addCustomer, type Customer } from "./customer.ts";
export { cloneDatabase, createTemplate, type TestDatabase } from "./database.ts";
export {
  type EventAnswer,
  type EventReceiver,
  type ReceivedEvent,
  startEventReceiver,
} from "./event-receiver.ts";
export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export { fillSession } from "./fill-session.ts";
export { jobSenderOf } from "./job-sender.ts";
export { announceLive } from "./live-presence.ts";
export { type MailJob, type MailRoom, type MailRoomOptions, openMailRoom } from "./mail-room.ts";
export { mailHeaders, type MailServer, type ReceivedMail, startMailServer } from "./mail-server.ts";
export { type OwnCluster, startOwnCluster } from "./own-cluster.ts";
export { type RehearsedModels, startRehearsedModels } from "./rehearsed-models.ts";
export { type RawReceiver, type RawReceiverOptions, startRawReceiver } from "./raw-receiver.ts";
export {
  type DnsAnswer,
  type DnsQuestion,
  type ScriptedDns,
  startScriptedDns,
} from "./scripted-dns.ts";
export { evaluateAgain, playEvaluated } from "./play-evaluated.ts";
export {
  playConversation,
  type PlayedConversation,
  type PlayOptions,
  rehearsedChatModels,
  type VisitorStep,
} from "./play-conversation.ts";
export {
  playTimeline,
  type Timeline,
  type TimelineAct,
  type TimelineFault,
  type TimelineOutcome,
  type TimelineTurn,
} from "./play-timeline.ts";
export { openPostOffice, type PostOffice, type PostOfficeOptions } from "./post-office.ts";
export { addReceiver, testSecrets } from "./receiver.ts";
export { seedBulk } from "./seed-bulk.ts";
export { seedDeliveries } from "./seed-deliveries.ts";
export { seedSettled } from "./seed-settled.ts";
export {
  end,
  EXAMPLE_EVALUATION,
  EXAMPLE_TURNS,
  type PlayedTurn,
  playSession,
  say,
  settle,
  start,
  verifyEmail,
} from "./play-session.ts";
export { allotStamp, type StampClock } from "./stamp-model.ts";
export { dumpSchema } from "./schema-dump.ts";
export {
  MAIN,
  type ServerProcess,
  speechAt,
  startServerProcess,
  TEST_SECRET_KEYS,
} from "./server-process.ts";
export { type OutsideWorld, startOutsideWorld } from "./outside-world.ts";
export { tracesOf } from "./traces-of.ts";
export { countLockWaiters, whileLocked } from "./while-locked.ts";
export { LiveBrowser } from "./live-browser.ts";
export { createLiveWorld, type LiveWorld, type Visit } from "./live-world.ts";
export { loadBareAgentSession } from "./load-bare-agent-session.ts";
export { PacedMicrophone } from "./paced-microphone.ts";
export { VoiceVisitor, type VoiceVisitorOptions } from "./voice-visitor.ts";
export type { HeardSegment } from "./loudspeaker.ts";
export type { Spoken } from "./paced-microphone.ts";
export { itemsOf, readExport, wholeExport } from "./read-export.ts";
export { evaluationRows, exportRow, sessionRow } from "./stored-rows.ts";
export {
  type Conversation,
  JudgeError,
  judgeConversation,
  type Judgement,
  type Rubric,
  rubricOf,
} from "#evaluation";
export { createLanguageModel, type LanguageModel } from "#models";
export { ChatModels, loadSpeech, startConversation } from "#conversation";
export type {
  ConversationListener,
  ConversationModels,
  DemoAgent,
  Media,
  MediaListener,
  ReplyRequest,
} from "#conversation";
export { patientSnippet, plainConfig } from "#agents";
export { createLog, systemClock } from "#platform";
export {
  type RehearsalSpeech,
  speak,
  type SpeechFault,
  type SpeechOptions,
  startSpeech,
} from "@svc/rehearsal";
