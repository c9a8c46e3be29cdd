import { invalidRequest } from "./api-error.ts";
import type { ChatRequest, Message, Tool } from "./chat-request.ts";

/** Every tool's message answers a call of the assistant's message before, and every call is answered. */
export function checkToolMessages(messages: Message[]): void {
  let open = new Set<string>();
  for (const [index, { role, calls, callId }] of messages.entries()) {
    const at = `messages[${index}]`;
    if (role === "tool") {
      if (callId !== undefined && open.delete(callId)) continue;
      throw invalidRequest(`'${at}' answers no call before it.`, undefined, `${at}.role`);
    }
    if (open.size > 0) throw unanswered(open, at);
    open = new Set(calls.map((call) => call.id));
  }
  if (open.size > 0) throw unanswered(open, "messages");
}

/** There are tools to choose from. */
export function checkToolChoice(
  choice: ChatRequest["toolChoice"] | undefined,
  tools: Tool[],
): void {
  if (choice !== "auto" || tools.length > 0) return;
  throw invalidRequest("'tool_choice' goes with 'tools' only.", undefined, "tool_choice");
}

function unanswered(calls: Set<string>, at: string): Error {
  return invalidRequest(`No message answers the calls ${[...calls].join(", ")}.`, undefined, at);
}
