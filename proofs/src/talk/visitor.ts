import { hash, randomUUID } from "node:crypto";
import type {
  AgentMode,
  LiveCaption,
  LiveOpenCard,
  SdkErrorBody,
  SessionStart,
  SessionStarted,
  StartChallenge,
  TranscriptEntry,
} from "@svc/contract/types";
import { LiveBrowser } from "@svc/server/testing";

/** A visitor who types, over the SDK's HTTP and the live protocol, as the SDK does. */
export class Visitor {
  readonly sessionId: string;
  readonly screen: Screen;
  readonly #browser: LiveBrowser;
  readonly #pinging: NodeJS.Timeout;
  #listened = 0;

  private constructor(sessionId: string, browser: LiveBrowser, pingMs: number) {
    this.sessionId = sessionId;
    this.screen = new Screen(browser);
    this.#browser = browser;
    this.#pinging = setInterval(() => browser.ping(), pingMs);
  }

  /** Reads the notice, accepts it, and opens the socket. */
  static async enter(serverUrl: string, start: Omit<Start, "mode">): Promise<Visitor> {
    const started = await startSession(serverUrl, { ...start, mode: "text" });
    const browser = await LiveBrowser.open(started.live_url, from(start));
    const welcome = await browser.hello(started.session_id, { ticket: started.ticket });
    return new Visitor(started.session_id, browser, welcome.ping_ms);
  }

  /** Waits until the agent has said something new and listens again. */
  async listen(): Promise<void> {
    const known = this.#listened;
    await this.#browser.first("caption", () => this.screen.turns("assistant").length > known);
    await this.#browser.first("state", () => this.screen.isListening);
    this.#listened = this.screen.turns("assistant").length;
  }

  async say(text: string): Promise<void> {
    this.#browser.send({ type: "text", text });
    await this.listen();
  }

  async confirmEmail(address: string): Promise<void> {
    this.screen.confirmEmail(address);
    await this.listen();
  }

  rate(stars: number): void {
    this.#browser.send({ type: "rating", stars });
  }

  async end(): Promise<void> {
    this.#browser.send({ type: "end" });
    await this.#browser.first("ended");
  }

  /** The socket is closed, by whomever. */
  get hasClosed(): boolean {
    return this.#browser.socket.readyState === this.#browser.socket.CLOSED;
  }

  leave(): void {
    clearInterval(this.#pinging);
    this.#browser.socket.close();
  }
}

/** What stands on a visitor's screen, by what their browser was told. */
export class Screen {
  readonly #browser: LiveBrowser;

  constructor(browser: LiveBrowser) {
    this.#browser = browser;
  }

  /** The complete turns so far, of both or of one. */
  turns(role?: LiveCaption["role"]): LiveCaption[] {
    return this.#browser
      .all("caption")
      .filter((one) => one.final && one.text !== "" && (role ?? one.role) === one.role);
  }

  /** Everything that stands there as said. */
  transcript(): TranscriptEntry[] {
    return this.turns().map(({ role, text, interrupted }) => ({
      role,
      content: text,
      ...(interrupted && { interrupted }),
    }));
  }

  get openCard(): LiveOpenCard | null {
    return this.#browser.all("card").at(-1)?.card ?? null;
  }

  /** How often something was shown. */
  get contents(): number {
    return this.#browser.all("content").length;
  }

  /** It is the visitor's turn. */
  get isListening(): boolean {
    return this.#browser.all("state").at(-1)?.state === "listening";
  }

  get hasEnded(): boolean {
    return this.#browser.all("ended").length > 0;
  }

  confirmEmail(address: string): void {
    const card = this.openCard;
    if (card?.kind !== "email") throw new Error("no email card is open");
    this.#browser.send({
      type: "card_result",
      card_id: card.id,
      action: "confirmed",
      value: address,
    });
  }
}

export interface Start {
  agentId: string;
  language: string;
  mode: AgentMode;
  metadata?: Record<string, unknown>;
  /** Of the page that they are on, where the agent lists its pages. */
  origin?: string;
  /** Theirs, for a server that trusts the proxy on this machine. */
  address?: string;
}

const ORIGIN = "https://shop.example.com";

/** What the SDK sends when a visitor has read the notice and accepts it. */
export function startOf(start: Start): SessionStart {
  const { agentId, language, mode, metadata = {}, origin = ORIGIN } = start;
  return {
    agent_id: agentId,
    start_key: randomUUID(),
    mode,
    language,
    metadata,
    page: `${origin}/pricing`,
    notice: {
      text: "An AI talks with you. The text is kept.",
      language,
      accepted_at: new Date().toISOString(),
    },
  };
}

/** What the SDK does then. */
export async function startSession(serverUrl: string, start: Start): Promise<SessionStarted> {
  const body = startOf(start);
  const { origin = ORIGIN } = start;
  const headers = { "content-type": "application/json", origin, ...from(start) };
  for (;;) {
    const response = await fetch(`${serverUrl}/sdk/v1/sessions`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (response.status === 201) return (await response.json()) as SessionStarted;
    const text = await response.text();
    const { challenge } = (JSON.parse(text) as SdkErrorBody).error;
    if (challenge === undefined || body.challenge_solution !== undefined)
      throw new Error(`not started: ${text}`);
    body.challenge_solution = solveChallenge(challenge);
  }
}

/** Tries one counter after the other, as the SDK does. */
function solveChallenge(challenge: StartChallenge): string {
  const { nonce, salt, keyPrefix } = challenge.parameters;
  const known = Buffer.from(salt + nonce, "hex");
  const tried = Buffer.concat([known, Buffer.alloc(4)]);
  for (let counter = 0; ; counter += 1) {
    tried.writeUInt32BE(counter, known.length);
    const derivedKey = hash("sha256", tried, "hex");
    if (!derivedKey.startsWith(keyPrefix)) continue;
    return Buffer.from(JSON.stringify({ challenge, solution: { counter, derivedKey } })).toString(
      "base64",
    );
  }
}

function from({ address }: Pick<Start, "address">): Record<string, string> {
  return address === undefined ? {} : { "x-forwarded-for": address };
}

/** Turns as a page shows them: one that was interrupted ends with a dash. */
export function asSeen(transcript: readonly TranscriptEntry[] = []): string[] {
  return transcript.map(({ content, interrupted }) => (interrupted ? `${content} —` : content));
}
