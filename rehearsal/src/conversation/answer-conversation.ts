import type { Answer, ToolCall } from "../language-model/answer.ts";
import type { ChatRequest } from "../language-model/chat-request.ts";
import { sentences } from "../words/words-of.ts";
import { noteAnswers } from "./hearing/note-answers.ts";
import type { ConversationScripts } from "./scripts/conversation-scripts.ts";
import { pursueGoal, respond } from "./speaking/respond.ts";
import { turnIn } from "./speaking/turn.ts";
import { readTalk } from "./talk.ts";
import type { Goal } from "./talk.ts";

/**
 * The next turn of a demo: responds to the visitor, does what the turn is for, and calls the tools
 * that go with both.
 */
export function answerConversation(request: ChatRequest, scripts: ConversationScripts): Answer {
  const talk = readTalk(request);
  if (talk === undefined) return answer(UNTOLD, [], "rules");
  // The words came with the calls; their results change nothing about them.
  if (talk.thisTurn.text !== "") return answer("", [], "rules");
  const turn = turnIn(talk, scripts);
  const isNoted = talk.thisTurn.tools.includes("note_answer");
  const notes = isNoted ? [] : noteAnswers(talk, turn.heard, scripts);
  const response = respond(turn);
  const calls = [...notes, ...response.calls];
  // What is searched for comes with the next request.
  if (calls.some(isCallOf("search_knowledge"))) return answer("", calls, response.by);
  const goal = pursueGoal(turn, unlessAnswered(talk.goal, notes));
  const isDoneAlready = goal.calls.some(({ name }) => calls.some(isCallOf(name)));
  const rest = isDoneAlready ? { text: "", calls: [] } : goal;
  const text = withinWords(response.text, rest.text, talk.mostWords);
  return answer(text || turn.voice.pick(turn.says.invite), [...calls, ...rest.calls], response.by);
}

const UNTOLD = "I am a stand-in for a language model, and nobody told me what this is about.";

/** The question that the turn is for may just have been answered. */
function unlessAnswered(goal: Goal, notes: ToolCall[]): Goal {
  const isAnswered =
    goal.kind === "ask" && notes.some((note) => note.arguments["question"] === goal.key);
  return isAnswered ? { kind: "answer" } : goal;
}

function isCallOf(name: string): (call: ToolCall) => boolean {
  return (call) => call.name === name;
}

function answer(text: string, toolCalls: ToolCall[], by: string): Answer {
  return { text, toolCalls, finish: toolCalls.length > 0 ? "tool_calls" : "stop", by };
}

/** Both, or as much of the response as leaves room for the goal. Whole sentences; the first one stays. */
export function withinWords(response: string, goal: string, mostWords: number): string {
  const parts = sentences(response);
  const room = mostWords - wordCount(goal);
  while (parts.length > 1 && wordCount(parts.join(" ")) > room) parts.pop();
  return [...parts, goal].filter((text) => text !== "").join(" ");
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
