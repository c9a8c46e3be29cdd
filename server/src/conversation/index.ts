export type {
  CardResult,
  CommittedTurn,
  Conversation,
  ConversationListener,
  ConversationModels,
  ConversationOptions,
  DemoAgent,
  KnowledgeSection,
  ReplyRequest,
} from "./conversation.ts";
export { ChatModels, type ChatModelsOptions } from "./model/chat-models.ts";
export { loadEngine, startConversation } from "./start-conversation.ts";
export { wordCount } from "./guard/word-count.ts";
export type { PlayedScenario } from "./rehearse/play-scenario.ts";
export { rehearse } from "./rehearse/rehearse.ts";
