import { usageOf } from "./answer.ts";
import type { Answer } from "./answer.ts";
import type { ChatRequest } from "./chat-request.ts";

/** An answer in the bytes of the API. */
export interface Completion {
  contentType: "application/json" | "text/event-stream";
  /** The events of a stream, or one that is all of it. */
  pieces: string[];
}

/** Fixed, so that the same request always gets the same bytes. */
const CREATED = 1_767_225_600;

/** `requestId` is a digest of the request in hex. The text is streamed in words, or split into letters. */
export function writeCompletion(
  request: ChatRequest,
  answer: Answer,
  requestId: string,
  isSplit = false,
): Completion {
  const words = isSplit ? Array.from(answer.text) : (answer.pieces ?? pieces(answer.text));
  return request.stream
    ? { contentType: "text/event-stream", pieces: streamed(request, answer, requestId, words) }
    : { contentType: "application/json", pieces: [whole(request, answer, requestId)] };
}

function whole(request: ChatRequest, answer: Answer, requestId: string): string {
  const calls = toolCalls(answer, requestId);
  return JSON.stringify({
    id: `chatcmpl-${requestId.slice(0, 24)}`,
    object: "chat.completion",
    created: CREATED,
    model: request.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: answer.text === "" && hasOtherContent(answer) ? null : answer.text,
          refusal: answer.refusal ?? null,
          ...(calls.length > 0 && { tool_calls: calls }),
        },
        logprobs: null,
        finish_reason: answer.finish,
      },
    ],
    usage: usageOf(request, answer),
  });
}

function streamed(
  request: ChatRequest,
  answer: Answer,
  requestId: string,
  words: string[],
): string[] {
  const head = {
    id: `chatcmpl-${requestId.slice(0, 24)}`,
    object: "chat.completion.chunk",
    created: CREATED,
    model: request.model,
  };
  const usage = request.includeUsage ? { usage: null } : {};
  const chunk = (delta: object, finish: Answer["finish"] | null = null): string =>
    event({ ...head, choices: [{ index: 0, delta, finish_reason: finish }], ...usage });
  return [
    chunk({ role: "assistant", content: hasOtherContent(answer) ? null : "" }),
    ...words.map((content) => chunk({ content })),
    ...pieces(answer.refusal ?? "").map((refusal) => chunk({ refusal })),
    ...toolCalls(answer, requestId).flatMap((call, index) => [
      chunk({
        tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: "" } }],
      }),
      ...pieces(call.function.arguments).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    chunk({}, answer.finish),
    ...(request.includeUsage
      ? [event({ ...head, choices: [], usage: usageOf(request, answer) })]
      : []),
    "data: [DONE]\n\n",
  ];
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** Word by word, as tokens come; a huge text in larger pieces, or the chunks around the words would weigh a gigabyte. */
function pieces(text: string): string[] {
  return text.match(text.length < 100_000 ? /\s*\S+\s*$|\s*\S+/g : /[^]{1,10000}/g) ?? [];
}

function hasOtherContent(answer: Answer): boolean {
  return answer.refusal !== undefined || answer.toolCalls.length > 0;
}

function toolCalls(answer: Answer, requestId: string) {
  return answer.toolCalls.map((call, index) => ({
    id: `call_${requestId.slice(24, 40)}_${index}`,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
}
