export type {
  CardResult,
  CommittedTurn,
  Conversation,
  ConversationListener,
  ConversationModels,
  ConversationOptions,
  ConversationVoice,
  DemoAgent,
  Media,
  MediaListener,
  ReplyRequest,
  Speech,
} from "./conversation.ts";
export { ChatModels, type ChatModelsOptions } from "./model/chat-models.ts";
export { agentTexts } from "./guard/agent-texts.ts";
export { SpeechGuard } from "./guard/speech-guard.ts";
export { isFiller } from "./heard/is-filler.ts";
export { speakable } from "./heard/speakable.ts";
export { withoutMarks } from "./signals/direction.ts";
export { DemoState } from "./state/demo-state.ts";
export { SignalReader, type SignalledSentence } from "./signals/signal-reader.ts";
export { loadEngine, loadSpeech, startConversation } from "./start-conversation.ts";
export type { SpeechCheck, WatchedSpeech } from "./speech/speech.ts";
export type { PlayedScenario } from "./rehearse/play-scenario.ts";
export { rehearse } from "./rehearse/rehearse.ts";
