import { contentIn, findShown, mayOpen, shownFileUrl, shownName } from "#agents";
import type { CommittedTurn, Conversation, ConversationListener, DemoAgent } from "#conversation";
import { AppError, newUuid } from "#platform";
import type {
  AgentMode,
  LiveAction,
  LiveAddressDoubt,
  LiveAgentState,
  LiveCardResult,
  LiveOpenCard,
  LivePlaceResult,
  LiveShown,
  LiveSource,
  LiveWelcome,
  TranscriptEntry,
} from "@svc/contract/types";
import type { Scene } from "#sessions";
import type { Outgoing } from "./outbox.ts";
import type { Recorder } from "./recorder.ts";
import type { VisitorMail } from "./visitor-mail.ts";
import * as z from "zod";

/** The state of the visitor's screen. A change is sent as it happens; a welcome contains the whole state. */
export class Screen {
  readonly #agentId: string;
  readonly #agent: DemoAgent;
  readonly #publicUrl: string;
  readonly #tell: (message: Outgoing) => void;
  readonly #transcript: TranscriptEntry[];
  /** The ids of its turns. */
  readonly #turns: string[];
  /** By turn. */
  readonly #sources = new Map<string, LiveSource[]>();
  #mode: AgentMode;
  #state: LiveAgentState = "listening";
  /** The one of the welcome, and the one that the agent speaks now. */
  readonly #firstLanguage: string;
  #language: string;
  #content: LiveShown | undefined;
  #isPlaceLit = false;
  /** Of the visitor's last step in a tour. */
  #stepCue: string | undefined;
  #isPageTold = false;
  #card: LiveOpenCard | null = null;

  constructor(options: {
    agentId: string;
    agent: DemoAgent;
    publicUrl: string;
    language: string;
    mode: AgentMode;
    /** The turns before this call. */
    turns: readonly Omit<CommittedTurn, "at">[];
    /** The operator's log before this call. */
    events: readonly { kind: string; detail: Record<string, unknown> }[];
    /** How an earlier process left it. */
    scene: Scene | undefined;
    tell: (message: Outgoing) => void;
  }) {
    this.#agentId = options.agentId;
    this.#agent = options.agent;
    this.#publicUrl = options.publicUrl;
    this.#firstLanguage = options.language;
    this.#language = options.language;
    this.#tell = options.tell;
    this.#mode = options.mode;
    this.#transcript = options.turns.map(transcriptEntry);
    this.#turns = options.turns.map(({ id }) => id);
    for (const { kind, detail } of options.events) if (kind === "sources") this.cite(detail);
    const { content, cue, card } = options.scene ?? {};
    this.#stepCue = cue;
    this.#content = content === undefined ? undefined : this.#contentOf(content, cue);
    this.#card = card ?? null;
  }

  get mode(): AgentMode {
    return this.#mode;
  }

  /** The number of turns so far. */
  get turns(): number {
    return this.#transcript.length;
  }

  get card(): LiveOpenCard | null {
    return this.#card;
  }

  get hasVisitorSpoken(): boolean {
    return this.#transcript.some(({ role }) => role === "user");
  }

  get agentListens(): boolean {
    return this.#state === "listening";
  }

  whole(): Pick<LiveWelcome, "mode" | "state" | "transcript" | "sources" | "content" | "card"> {
    const cited = this.#turns.flatMap((id, place) => {
      const sources = this.#sources.get(id);
      return sources === undefined ? [] : [[place, sources] as const];
    });
    return {
      mode: this.#mode,
      state: this.#state,
      transcript: this.#transcript,
      ...(cited.length > 0 && { sources: Object.fromEntries(cited) }),
      ...(this.#content !== undefined && { content: this.#content }),
      ...(this.#card !== null && { card: this.#card }),
    };
  }

  /** For a process that takes over. */
  get scene(): Pick<Scene, "mode" | "content" | "cue" | "card"> {
    return {
      mode: this.#mode,
      content: this.#nameOnShow,
      cue: this.#content?.place?.cue ?? this.#content?.step?.cue,
      card: this.#card ?? undefined,
    };
  }

  setState(state: LiveAgentState): void {
    this.#state = state;
    this.#tell({ type: "state", state });
  }

  setMode(mode: AgentMode): void {
    this.#mode = mode;
    this.#tell({ type: "mode", mode });
  }

  /** A page that knows nothing yet. It has what it needs for places and actions before the first of them is due. */
  greetPage(): void {
    this.#isPageTold = false;
    if (this.#transcript.length > 0) this.#tellPage();
  }

  /** Not before the agent's first words: they must not wait for it. */
  #tellPage(): void {
    const { content, actions = [] } = this.#agent.config;
    const isNeeded = actions.length > 0 || content.some(({ kind }) => kind === "place");
    if (this.#isPageTold || !isNeeded) return;
    this.#isPageTold = true;
    this.#tell({ type: "page", actions: actions.map(({ id }) => id) });
  }

  run(action: Omit<LiveAction, "type" | "seq">): void {
    this.#tell({ type: "action", ...action });
  }

  addPartial({ id, role, text }: { id: string; role: "user" | "assistant"; text: string }): void {
    this.#tell({ type: "caption", turn: id, role, text, final: false, ...this.#more(id) });
    if (role === "assistant") this.#tellPage();
  }

  addTurn(turn: CommittedTurn): void {
    const { role, content, interrupted } = turn;
    this.#transcript.push(transcriptEntry(turn));
    this.#turns.push(turn.id);
    this.#tell({
      type: "caption",
      turn: turn.id,
      role,
      text: content,
      final: true,
      ...(interrupted && { interrupted }),
      ...this.#more(turn.id),
    });
    if (role === "assistant") this.#tellPage();
  }

  #more(turnId: string): { language?: string; sources?: LiveSource[] } {
    const sources = this.#sources.get(turnId);
    return {
      ...(this.#language !== this.#firstLanguage && { language: this.#language }),
      ...(sources !== undefined && { sources }),
    };
  }

  /**
   * Takes what the operator's log says of a turn's sources: its next caption has them. A section without a page that
   * visitors may open is left out: its name is for the operator, and nobody could look it up.
   */
  cite(detail: Record<string, unknown>): void {
    const { data } = sourcesEvent.safeParse(detail);
    const { config, knowledge } = this.#agent;
    const page = knowledge.find(
      (section) =>
        data?.sections.includes(section.name) && section.page && mayOpen(section.page, config),
    )?.page;
    if (data === undefined || page === undefined) return;
    const before = this.#sources.get(data.turn) ?? [];
    const isNew = before.length < MOST_SOURCES && !before.some(({ url }) => url === page.url);
    if (isNew) this.#sources.set(data.turn, [...before, page]);
  }

  takeBack(turnId: string): void {
    this.#tell({ type: "caption", turn: turnId, role: "assistant", text: "", final: true });
  }

  /** @param name an id, or a step of a tour such as `booking/2` */
  showContent(name: string, cue?: string): void {
    const content = this.#contentOf(name, cue);
    if (content === undefined) return;
    if (cue === undefined) this.#isPlaceLit = false;
    this.#content = content;
    this.#tell({ type: "content", content });
  }

  /**
   * The visitor went to a step of a tour. The browser is answered in any case: what was shown meanwhile is over only then.
   * Returns whether it is another one than before.
   */
  stepTo(name: string, cue: string): boolean {
    if (this.#contentOf(name)?.step === undefined) return false;
    const before = this.#nameOnShow;
    this.#stepCue = cue;
    this.showContent(name);
    return before !== name;
  }

  /** As in a direction. */
  get #nameOnShow(): string | undefined {
    return this.#content && shownName(this.#content.id, this.#content.step?.at);
  }

  /** Returns the id of the place; undefined for one that is not on show, and for what was told before. */
  settlePlace({ cue, state }: LivePlaceResult): string | undefined {
    const { id, place } = this.#content ?? {};
    if (place?.cue !== cue || (state === "shown" && this.#isPlaceLit)) return undefined;
    if (state === "shown") this.#isPlaceLit = true;
    // A page that is loaded later must not be asked for it again.
    else this.#content = undefined;
    return id;
  }

  /** What is on show follows, where it has a translation. */
  setLanguage(language: string): void {
    this.#language = language;
    const before = this.#content;
    const cue = before?.place?.cue;
    const name = this.#nameOnShow;
    const content = name === undefined ? undefined : this.#contentOf(name, cue);
    if (content === undefined) return;
    if (ADDRESS.some((field) => content[field] !== before?.[field])) this.showContent(name!, cue);
  }

  #contentOf(name: string, cue?: string): LiveShown | undefined {
    const { config } = this.#agent;
    const found = findShown(config.content, name);
    if (found === undefined) return undefined;
    const { content, step } = found;
    const { title, source } = contentIn(config, content, this.#language);
    const shown = {
      id: content.id,
      title,
      kind: content.kind,
      ...(step !== undefined && {
        step: { ...step, ...(this.#stepCue !== undefined && { cue: this.#stepCue }) },
      }),
    };
    if ("link" in source) {
      const { link: url, place } = source;
      if (place === undefined) return { ...shown, url };
      return { ...shown, url, place: { ...place, cue: cue ?? newUuid() } };
    }
    const urlOf = ({ sha256 }: { sha256: string }): string =>
      shownFileUrl(this.#publicUrl, this.#agentId, sha256);
    const { file, slide } = source;
    return { ...shown, url: urlOf(file), ...(slide !== undefined && { slide_url: urlOf(slide) }) };
  }

  /** `null` takes the open one away. */
  openCard(card: LiveOpenCard | null): void {
    if (card === null && this.#card === null) return;
    this.#card = card;
    this.#tell({ type: "card", card });
  }
}

/** Releases before this one named no turn. */
const sourcesEvent = z.object({ turn: z.string(), sections: z.array(z.string()) });

/** More would take more room than what was said. */
const MOST_SOURCES = 3;

/** What is another one in another language. */
const ADDRESS = ["title", "url", "slide_url"] as const;

function transcriptEntry({
  role,
  content,
  interrupted,
}: Pick<CommittedTurn, "role" | "content" | "interrupted">): TranscriptEntry {
  return { role, content, ...(interrupted && { interrupted }) };
}

/**
 * Handles what the visitor did with the open card. The conversation hears of an address once it is
 * stored; an invalid address, and once one whose domain accepts no mail, is shown to the visitor on
 * the card again.
 */
export async function answerCard(
  { card_id: cardId, action, value = "" }: LiveCardResult,
  parts: {
    screen: Screen;
    recorder: Recorder;
    conversation: Conversation;
    mail: VisitorMail;
    /** False once goodbye is being said: then no card is opened any more. */
    isTalking: () => boolean;
    note: ConversationListener["event"];
    /** It need not be told again. */
    onTaken: () => void;
  },
): Promise<void> {
  const { screen, recorder, conversation, mail, isTalking, note, onTaken } = parts;
  const { card } = screen;
  // Another one took its place meanwhile.
  if (card?.id !== cardId) return onTaken();
  screen.openCard(null);
  note(`card_${action}`, { card: card.kind });
  if (card.kind === "action" && action === "confirmed") {
    onTaken();
    return conversation.settleCard({ cardId, action: "agreed" });
  }
  if (card.kind !== "email" || action === "dismissed") {
    onTaken();
    return conversation.settleCard({ cardId, action: "dismissed" });
  }
  try {
    await recorder.confirmEmail(value);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    onTaken();
    return screen.openCard({ ...card, prefill: value });
  }
  onTaken();
  const ask = (doubt: LiveAddressDoubt): void => {
    if (isTalking()) conversation.doubtEmail(value, doubt);
  };
  const doubt = await mail.doubt(value, ask);
  if (doubt !== undefined && isTalking()) return ask(doubt);
  const mailFollows = (await mail.mailTo()) !== undefined;
  await conversation.settleCard({ cardId, action: "confirmed", address: value, mailFollows });
}
