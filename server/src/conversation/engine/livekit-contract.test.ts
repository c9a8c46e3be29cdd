import { initializeLogger, llm, voice } from "@livekit/agents";
import { describe, expect, it, onTestFinished } from "vitest";

/** What we rely on of the library. It is pinned; this says whether a new version may be taken. */

initializeLogger({ pretty: false, level: "silent" });

/** What a request brings; at `WAIT` nothing more comes until the request is aborted or released. */
type Piece = string | llm.FunctionCall | typeof WAIT;
const WAIT = Symbol("wait");

class ScriptedLanguage extends llm.LLM {
  readonly requests: { items: llm.ChatItem[]; toolChoice: unknown; stream: ScriptedStream }[] = [];
  readonly script: Piece[][];

  constructor(script: Piece[][]) {
    super();
    this.script = script;
  }

  override label(): string {
    return "scripted";
  }

  override chat(options: Parameters<llm.LLM["chat"]>[0]): llm.LLMStream {
    const { chatCtx, toolChoice } = options;
    const stream = new ScriptedStream(this, options, this.script[this.requests.length] ?? ["Yes."]);
    this.requests.push({ items: [...chatCtx.items], toolChoice, stream });
    return stream;
  }
}

class ScriptedStream extends llm.LLMStream {
  readonly pieces: Piece[];
  release: () => void = () => {};

  constructor(
    language: llm.LLM,
    { chatCtx, toolCtx }: Parameters<llm.LLM["chat"]>[0],
    pieces: Piece[],
  ) {
    const connOptions = { maxRetry: 0, retryIntervalMs: 0, timeoutMs: 1_000 };
    super(language, { chatCtx, ...(toolCtx && { toolCtx }), connOptions });
    this.pieces = pieces;
  }

  get isAborted(): boolean {
    return this.abortController.signal.aborted;
  }

  protected override async run(): Promise<void> {
    const { signal } = this.abortController;
    for (const piece of this.pieces) {
      if (piece === WAIT) {
        await new Promise<void>((resolve) => {
          this.release = resolve;
          signal.addEventListener("abort", () => resolve());
        });
        return;
      }
      const delta =
        typeof piece === "string"
          ? { content: piece }
          : { toolCalls: [piece] as llm.FunctionCall[] };
      this.queue.put({ id: "chunk", delta: { role: "assistant", ...delta } });
    }
  }
}

async function sessionWith(script: Piece[][], { toolAnswers = true } = {}) {
  const language = new ScriptedLanguage(script);
  const session = new voice.AgentSession({
    vad: null,
    llm: language,
    maxToolSteps: 2,
    userAwayTimeout: null,
  });
  const forwarded: string[] = [];
  class Forwarding extends voice.Agent {
    override async transcriptionNode(...args: Parameters<voice.Agent["transcriptionNode"]>) {
      const texts = await super.transcriptionNode(...args);
      return (
        texts?.pipeThrough(
          new TransformStream({
            transform(text, controller) {
              forwarded.push(typeof text === "string" ? text : text.text);
              controller.enqueue(text);
            },
          }),
        ) ?? null
      );
    }
  }
  const tool = llm.tool({
    name: "act",
    description: "Acts.",
    parameters: { type: "object", properties: {} },
    execute: async () => (toolAnswers ? "done" : undefined),
  });
  const items: string[] = [];
  session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
    if (item.type !== "message") return;
    items.push(`${item.role}: ${item.textContent}${item.interrupted ? "…" : ""}`);
  });
  await session.start({
    agent: new Forwarding({ instructions: "Be brief.", tools: [tool] }),
    record: false,
  });
  onTestFinished(() => void session.close());
  return { session, language, items, forwarded };
}

const act = (): llm.FunctionCall =>
  llm.FunctionCall.create({ callId: "1", name: "act", args: "{}" });

describe("the library, without a room and without sound", () => {
  it("says a text, piece by piece through the transcription node, and commits it", async () => {
    const { session, items, forwarded } = await sessionWith([]);
    await session.say("Hello there.").waitForPlayout();
    expect(forwarded).toEqual(["Hello there."]);
    expect(items).toEqual(["assistant: Hello there."]);
  });

  it("commits the visitor's text before the reply to it", async () => {
    const { session, items } = await sessionWith([["One. ", "Two."]]);
    await session.generateReply({ userInput: "Go on." }).waitForPlayout();
    expect(items).toEqual(["user: Go on.", "assistant: One. Two."]);
  });

  it("commits what was forwarded of a reply that is cut, once its text has ended", async () => {
    const { session, items, forwarded, language } = await sessionWith([["One. ", WAIT]]);
    const speech = session.generateReply({ userInput: "Go on." });
    await expect.poll(() => forwarded).toEqual(["One. "]);
    speech.interrupt();
    language.requests[0]?.stream.release();
    await speech.waitForPlayout();
    expect(items).toEqual(["user: Go on.", "assistant: One. …"]);
  });

  it("commits nothing of a reply that is cut before its first word", async () => {
    const { session, items, language } = await sessionWith([[WAIT]]);
    const speech = session.generateReply({ userInput: "Go on." });
    await expect.poll(() => language.requests.length).toBe(1);
    speech.interrupt();
    await speech.waitForPlayout();
    expect(items).toEqual(["user: Go on."]);
    expect(language.requests[0]?.stream.isAborted).toBe(true);
  });

  it("commits the words of a step, then runs its tools, then asks again on the same speech", async () => {
    const { session, items, language } = await sessionWith([["Look. ", act()], ["Done."]]);
    await session.generateReply({ userInput: "Act." }).waitForPlayout();
    expect(items).toEqual(["user: Act.", "assistant: Look. ", "assistant: Done."]);
    expect(language.requests).toHaveLength(2);
  });

  it("does not ask again after a tool that answers nothing", async () => {
    const { session, language, items } = await sessionWith([["Look. ", act()]], {
      toolAnswers: false,
    });
    await session.generateReply({ userInput: "Act." }).waitForPlayout();
    expect(language.requests).toHaveLength(1);
    expect(items.at(-1)).toBe("assistant: Look. ");
  });

  it("asks for words alone when the steps are used up", async () => {
    const { session, language } = await sessionWith([[act()], [act()], [act()], ["Done."]]);
    await session.generateReply({ userInput: "Act.", toolChoice: "auto" }).waitForPlayout();
    expect(language.requests.map(({ toolChoice }) => toolChoice).join(" ")).toBe(
      "auto auto auto none",
    );
  });

  it("hands over our choice that no tool may be called, and ignores a call then", async () => {
    const { session, language, items } = await sessionWith([["Look. ", act()]]);
    await session.generateReply({ toolChoice: "none" }).waitForPlayout();
    expect(language.requests.map(({ toolChoice }) => toolChoice)).toEqual(["none"]);
    expect(items).toEqual(["assistant: Look. "]);
  });

  it("leaves no listener on the process", async () => {
    const count = (): number[] =>
      ["SIGINT", "SIGTERM", "uncaughtException", "unhandledRejection", "beforeExit", "exit"].map(
        (event) => process.listenerCount(event),
      );
    const before = count();
    const { session } = await sessionWith([]);
    await session.generateReply({ userInput: "Go on." }).waitForPlayout();
    expect(count()).toEqual(before);
  });
});
