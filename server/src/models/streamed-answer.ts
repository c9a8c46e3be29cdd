import { z } from "zod";
import { whenOverdue } from "#platform";
import type { ToolCall } from "./chat-messages.ts";
import type { ReportedUsage } from "./model-usage.ts";

/** The part of a streamed answer that has arrived. */
export class StreamedAnswer {
  readonly #toolCalls = new ToolCallPieces();
  /** Undefined until the model says that it is done. */
  finishReason: string | undefined;
  isRefusal = false;
  /** The usage as the provider counts it; undefined if it does not. */
  usage: ChatChunk["usage"];
  tokens = 0;
  /** The length of its text, of its thoughts and of the arguments of its tool calls. */
  characters = 0;

  /** Returns true when the chunk holds a token, false for the empty chunks around them. */
  take({ text, thought, isRefusal, toolCalls, finishReason, usage }: ChatChunk): boolean {
    this.usage = usage ?? this.usage;
    this.finishReason = finishReason ?? this.finishReason;
    this.isRefusal ||= isRefusal;
    this.characters += text.length + thought.length;
    for (const piece of toolCalls) {
      this.characters += piece.args.length;
      this.#toolCalls.add(piece);
    }
    const isToken = text !== "" || isRefusal || toolCalls.length > 0;
    if (isToken) this.tokens += 1;
    return isToken;
  }

  get toolCalls(): ToolCall[] {
    return this.#toolCalls.whole();
  }
}

/** Puts tool calls together, which arrive in pieces and interleaved. */
export class ToolCallPieces {
  /** Those that are still open, by their number. */
  readonly #open = new Map<number, ToolCall>();
  readonly #calls: ToolCall[] = [];

  add({ index = this.#calls.length, id, name, args, extra }: ToolCallPiece): void {
    let call = this.#open.get(index);
    // Some servers give every call the number 0.
    if (call === undefined || (id !== "" && call.id !== "" && id !== call.id)) {
      call = { id: "", name: "", args: "" };
      this.#open.set(index, call);
      this.#calls.push(call);
    }
    call.id ||= id;
    call.name += name;
    call.args += args;
    if (extra !== undefined) call.extra = extra;
  }

  /** In the order in which they began. */
  whole(): ToolCall[] {
    return this.#calls
      .filter(({ name }) => name !== "")
      .map((call, index) => ({ ...call, id: call.id || `call_${index}` }));
  }
}

export interface StreamLimits {
  /** From the request to the first word. */
  firstTokenMs: number;
  /** From one chunk to the next, with or without a word in it. */
  idleMs: number;
  /** For the whole answer. */
  wholeMs: number;
  /** True where a fallback waits: a model that has not said a word in time is given up, though it still sends chunks. */
  isFirstTokenFirm?: boolean;
}

/** Aborts a streamed answer that stops arriving, or never ends. */
export class StreamDeadline {
  /** Aborts the request when the deadline passes, when the caller's signal does, and at the end. */
  readonly signal: AbortSignal;
  readonly #limits: StreamLimits;
  readonly #passed = new AbortController();
  readonly #ended = new AbortController();
  readonly #whole: NodeJS.Timeout;
  readonly #stopFirst: () => void;
  #stopIdle: (() => void) | undefined;
  #hasWord = false;
  /** The wait for the first word is over, because it came or because it did not. */
  #isFirstOver = false;

  constructor(limits: StreamLimits, signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#passed.signal, this.#ended.signal]);
    this.#limits = limits;
    this.#whole = setTimeout(() => this.#passed.abort(), limits.wholeMs);
    this.#stopFirst = whenOverdue(limits.firstTokenMs, () => {
      this.#isFirstOver = true;
      if (this.#stopIdle === undefined) this.#passed.abort();
    });
  }

  /** True when the answer took too long, false when only the caller gave it up. */
  get hasPassed(): boolean {
    return this.#passed.signal.aborted;
  }

  /** A word has arrived. */
  word(): void {
    this.#stopFirst();
    this.#hasWord = true;
    this.#isFirstOver = true;
    this.#wait();
  }

  /** Anything else has arrived: a thought, an empty chunk, a comment that keeps the connection open. */
  sign(): void {
    if (this.#hasWord || this.#limits.isFirstTokenFirm !== true) this.#wait();
  }

  /** Also closes the connection, where the answer was not read to its end. */
  end(): void {
    this.#stopFirst();
    this.#stopIdle?.();
    clearTimeout(this.#whole);
    this.#ended.abort();
  }

  #wait(): void {
    this.#stopIdle?.();
    this.#stopIdle = whenOverdue(this.#limits.idleMs, () => {
      this.#stopIdle = undefined;
      // Servers send an empty chunk before they read the prompt: it must not shorten the wait for the first word.
      if (this.#isFirstOver) this.#passed.abort();
    });
  }
}

/** A chunk of a streamed chat completion, as far as we read it. */
export interface ChatChunk {
  text: string;
  /** Never said; it costs like text. */
  thought: string;
  isRefusal: boolean;
  toolCalls: ToolCallPiece[];
  finishReason: string | undefined;
  usage: ReportedUsage | undefined;
}

interface ToolCallPiece {
  /** Which call it belongs to. Some servers send whole calls, one by one, without numbers. */
  index: number | undefined;
  id: string;
  name: string;
  args: string;
  extra?: Record<string, unknown> | undefined;
}

/** Throws when it is no chunk of a chat completion. Fields that we do not read may be anything. */
export function readChatChunk(chunk: unknown): ChatChunk {
  const { choices, usage } = Chunk.parse(chunk);
  const [choice] = choices;
  const { content, reasoning_content, reasoning } = choice?.delta ?? {};
  return {
    text: textOf(content),
    thought: reasoning_content ?? reasoning ?? "",
    isRefusal: Boolean(choice?.delta?.refusal),
    toolCalls: (choice?.delta?.tool_calls ?? []).map(
      ({ index, id, function: called, extra_content }) => ({
        index: index ?? undefined,
        id: id ?? "",
        name: called?.name ?? "",
        args: called?.arguments ?? "",
        extra: extra_content ?? undefined,
      }),
    ),
    // Some servers send an empty one with every chunk.
    finishReason: choice?.finish_reason || undefined,
    usage: usage ?? undefined,
  };
}

const ToolCallDelta = z.object({
  index: z.number().int().nonnegative().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
  extra_content: z.record(z.string(), z.unknown()).nullish().catch(undefined),
});

/** Mistral's reasoning models send parts: thoughts, and text. */
const Part = z.looseObject({ type: z.string(), text: z.string().optional() });

type Content = string | z.infer<typeof Part>[] | null | undefined;

function textOf(content: Content): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ type, text }) => (type === "text" ? (text ?? "") : "")).join("");
}

const thought = z.string().nullish().catch(undefined);

const Delta = z.object({
  content: z.union([z.string(), z.array(Part)]).nullish(),
  // Of vLLM and llama.cpp, and of OpenRouter and newer vLLMs.
  reasoning_content: thought,
  reasoning: thought,
  refusal: z.string().nullish(),
  tool_calls: z.array(ToolCallDelta).nullish(),
});

/** Of a usage only numbers count, so nothing in it makes a chunk unreadable. */
const Usage = z.looseObject({
  prompt_tokens_details: z.looseObject({}).nullish().catch(undefined),
});

const Chunk = z.object({
  choices: z.array(z.object({ delta: Delta.nullish(), finish_reason: z.string().nullish() })),
  usage: Usage.nullish(),
});
