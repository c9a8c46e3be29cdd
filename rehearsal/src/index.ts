export { startLanguageModel } from "./language-model/language-model.ts";
export type { LanguageModel, LanguageModelOptions } from "./language-model/language-model.ts";
export type { Fault, FaultKind } from "./language-model/fault.ts";
export type { LoggedRequest, Requests } from "./language-model/request-log.ts";
export { type Embeddings, startEmbeddings } from "./embeddings/embeddings.ts";
export { startWebhookReceiver } from "./webhook-receiver/webhook-receiver.ts";
export type {
  WebhookReceiver,
  WebhookReceiverOptions,
} from "./webhook-receiver/webhook-receiver.ts";
export type { Fault as ReceiverFault } from "./webhook-receiver/fault.ts";
export type { Counts as ReceiverCounts, ReceivedRequest } from "./webhook-receiver/request-log.ts";
export { startMailCatcher } from "./mail-catcher/mail-catcher.ts";
export type { MailCatcher, MailCatcherOptions } from "./mail-catcher/mail-catcher.ts";
export type { CaughtMail, MailContent } from "./mail-catcher/mail-log.ts";
export type { Fault as MailFault } from "./mail-catcher/fault.ts";
export { startNameServer } from "./name-server/name-server.ts";
export { startScriptedDns } from "./name-server/scripted-dns.ts";
export type { DnsAnswer, DnsQuestion, ScriptedDns } from "./name-server/scripted-dns.ts";
export { startSpeech } from "./speech/speech.ts";
export type { RehearsalSpeech, SpeechOptions } from "./speech/speech.ts";
export type { SpeechFault, SpeechFaultKind } from "./speech/fault.ts";
export type { LoggedSpeech, SpeechRequests } from "./speech/request-log.ts";
export { hum, speak, transcribe } from "./speech/models/speech-models.ts";
export { resampled } from "./speech/sound.ts";
export { ReplayModel } from "./replay/replay-model.ts";
export type { Playing, ReplaySettings } from "./replay/replay-model.ts";
export { intendedTurns, judgesOf } from "./replay/recorded-judge.ts";
export type { RecordedJudge } from "./replay/recorded-judge.ts";
export { bare, readTalks } from "./replay/talk.ts";
export type { Sentence, Talk, TalkTurn } from "./replay/talk.ts";
export { writeWordFree } from "./replay/word-free.ts";
