export { type AskedBy, type Erasure, listReceipts, type Receipt } from "./erase.ts";
export { retainOnce } from "./forget.ts";
export type { Holdings } from "./look-up.ts";
export type { ReadableConversation, SubjectConversation } from "./own-conversation.ts";
export { type RecipientPurpose, Recipients, type RecipientVersion } from "./recipients.ts";
export { accountHoldings, type AccountHoldings, removeAccount } from "./remove-account.ts";
export { databaseRestored, type Restored } from "./restored.ts";
export { createRights, type Rights } from "./rights.ts";
