import type { AgentFactsLanguage, SessionStart } from "@svc/contract/types";
import { isTooLarge } from "../core/metadata.ts";
import { kit, useKit } from "../kit.ts";
import { chooseLanguage, supportsCalls } from "../preflight/preflight.ts";
import { agentFace } from "./agent-face.ts";
import type { CallOptions, CallSession, Texts } from "./call-options.ts";
import { createFrame } from "./frame.ts";
import { loadChunk, prepareSound } from "./load-chunk.ts";
import { loadTexts, loadWorded, withCards } from "./load-texts.ts";
import { noticeScreen } from "./notice-screen.ts";
import { takeOnlyCall } from "./one-call.ts";
import { pageNotice } from "./page-notice.ts";
import { newStartKey, startSession } from "./start-session.ts";
import { talkScreen } from "./talk-screen.ts";
import type { Talk, TalkOptions } from "./talk-screen.ts";
import { createVoice } from "./voice.ts";

export interface OpenCall {
  focus(): void;
  /** Ends the conversation, which says goodbye; closes where there is none, or it is over. */
  end(): void;
}

/**
 * A hero or a widget has fetched the face. After a click in the page, what talking needs is fetched first:
 * who taps at once hears the agent before its face comes.
 */
const FACE_WAITS_MS = 500;

/**
 * Opens the overlay. Until the visitor accepts the notice nothing is stored anywhere. Undefined when
 * there is nothing to go on with.
 */
export async function openCall(
  options: CallOptions,
): Promise<OpenCall | "metadata_too_large" | "unsupported_browser" | "agent_paused" | undefined> {
  const { service, entry } = options;
  useKit(options.kit);
  if (typeof options.metadata === "string" || isTooLarge(options.metadata)) {
    kit.hint((await loadChunk("cards-and-endings")).metadataHint(options.metadata));
    return "metadata_too_large";
  }
  if (!supportsCalls()) return "unsupported_browser";
  const { metadata } = options;
  let { agent } = options;
  const isPreview = service.preview !== undefined;
  const preview = isPreview ? await loadChunk("preview") : undefined;
  const voice = createVoice();
  const resuming = options.resume ? await loadChunk("resume") : undefined;
  const resumed = await resuming?.takeUp({
    agent: service.agent,
    voice,
    takeOnlyCall,
    textsIn,
    loadDocked: () => loadChunk("cards-and-endings"),
  });
  if (resuming !== undefined && resumed === undefined) return undefined;
  // The page may have asked long ago, and the agent be live again.
  if (isPaused()) agent = await service.facts(true);
  if (isPaused() && entry === "modal") return "agent_paused";
  const isRefused = !resumed && ((await preview?.previewRefused(service)) ?? false);
  const offered = agent.languages.map(({ code }) => code);
  let language =
    resumed?.language ?? chooseLanguage(offered, options.languages, agent.default_language);
  let texts = resumed?.texts ?? (await textsIn(language));
  // After a click in the widget or the hero, only the call can tell the visitor. It would be empty until the words are there.
  if (isPaused()) await loadWorded("cards-and-endings", texts);
  const ownNotice = pageNotice(options.notice);
  const face = agentFace(options);
  let talk: Talk | undefined;
  let continues: SessionStart["continues"];
  /** The last start. */
  let asked: SessionStart | undefined;
  let release = resumed?.release;
  let isChoosing = false;
  let isClosed = false;

  const frame = createFrame(agent, language, () => {
    isClosed = true;
    isChoosing = false;
    talk?.close();
    voice.stop();
    release?.();
    options.onClosed();
  });

  async function textsIn(code: string): Promise<Texts> {
    const loaded = await loadTexts(agent, code);
    await preview?.useTexts(loaded);
    return loaded;
  }

  /** A conversation that has begun goes on, and a preview starts anyway. */
  function isPaused(): boolean {
    return agent.paused === true && !isPreview && resumed === undefined;
  }

  /** The agent may have lost the language of a call that is gone on with: then its first one is read. */
  function spoken(): AgentFactsLanguage {
    const { languages } = agent;
    return languages.find(({ code }) => code === language) ?? languages[0]!;
  }

  function showNotice(trouble = ""): void {
    isChoosing = true;
    const notice = ownNotice ?? spoken().notice;
    frame.show(() =>
      noticeScreen({
        agent,
        face: face.element,
        strings: texts.strings,
        language,
        notice,
        link: spoken().notice_link,
        trouble,
        onLanguage: (code) => void speak(code),
        // One key and one body for all tries of one click: a start whose answer got lost is found again.
        onStart: (mode) =>
          void start({
            agent_id: agent.agent_id,
            start_key: newStartKey(),
            mode,
            language,
            metadata,
            page: location.href.split("#")[0]!.slice(0, 4_000),
            notice: { text: notice, language, accepted_at: new Date().toISOString() },
            ...(service.preview !== undefined && { preview_token: service.preview }),
            ...(continues && { continues }),
          }),
        onCancel: () => {
          service.count("declined", entry, language);
          frame.close();
        },
      }),
    );
    if (agent.modes.includes("voice")) prepareSound();
    setTimeout(() => isChoosing && face.wear(), entry === "modal" ? FACE_WAITS_MS : 0);
  }

  /** The page may have asked long ago, and speech come or gone since. */
  async function refresh(): Promise<void> {
    const fresh = await service.facts(true);
    const isChanged = fresh.modes.join() !== agent.modes.join();
    agent = fresh;
    if (!isChoosing) return;
    if (isPaused()) await refuse("agent_paused", () => showNotice());
    else if (isChanged) showNotice();
  }

  async function speak(code: string): Promise<void> {
    const chosen = await textsIn(code).catch(() => undefined);
    // They have begun since, or gone.
    if (!isChoosing) return;
    if (chosen === undefined) return showNotice(texts.strings.unreachable);
    texts = chosen;
    language = code;
    frame.speak(code);
    frame.ribbon = preview?.previewRibbon();
    showNotice();
  }

  async function start(wanted: SessionStart): Promise<void> {
    isChoosing = false;
    asked = wanted;
    // Before anything is waited for: the browser must see that it was a tap.
    if (wanted.mode === "voice") voice.start();
    else withCards(texts, () => {});
    frame.busy(texts.strings.connecting);
    release = await takeOnlyCall();
    if (release === undefined) return void giveUp("elsewhere", () => showNotice());
    if (isClosed) return release();
    const started = await startSession(service.request, wanted, entry);
    if (isClosed) return release();
    if ("refused" in started) {
      release();
      return refuse(started.refused, () => void start(wanted));
    }
    const test = started.test !== undefined;
    if (!test) service.count("started", entry, language);
    options.emit("started", { sessionId: started.session_id, language, test });
    showTalk({
      sessionId: started.session_id,
      ticket: started.ticket,
      liveUrl: started.live_url,
      test,
      notice: wanted.notice.text,
    });
  }

  async function refuse(code: string, onAgain: () => void): Promise<void> {
    const reason = await giveUp(code, onAgain);
    options.emit("unavailable", { reason: reason as SvcRefusal });
  }

  /** Returns what the visitor reads about. */
  async function giveUp(code: string, onAgain: () => void): Promise<string> {
    isChoosing = false;
    voice.stop();
    const onClose = (): void => frame.close();
    if (preview && code === "preview_invalid") {
      frame.ribbon = undefined;
      frame.show(() => preview.invalidScreen(onClose));
      return code;
    }
    const loaded = await loadWorded("cards-and-endings", texts).catch(() => undefined);
    if (!loaded) {
      showNotice(texts.strings.unreachable);
      return "service_unavailable";
    }
    const [endings, { cards: words }] = loaded;
    const trouble = endings.knownTrouble(code, words);
    frame.show(() =>
      endings.troubleScreen({
        ...options,
        ...texts,
        agent,
        trouble,
        words,
        onAgain,
        onClose,
        frame,
        wanted: asked,
        startSession,
      }),
    );
    return trouble;
  }

  function showTalk(session: CallSession): void {
    const onGoOn: TalkOptions["onGoOn"] = (ended) => {
      continues = ended;
      talk?.close();
      talk = undefined;
      release?.();
      showNotice();
    };
    const onMoved = (): void => {
      release?.();
      void giveUp("moved", () => showNotice());
    };
    frame.show(
      () => {
        talk = talkScreen({
          ...options,
          ...session,
          agent,
          language,
          texts,
          frame,
          face,
          voice,
          onMoved,
          onGoOn,
        });
        return talk.element;
      },
      () => talk!.initialFocus,
    );
  }

  if (preview && (resumed?.test ?? true)) {
    frame.addStyle(preview.PREVIEW_STYLE);
    frame.ribbon = preview.previewRibbon();
  }
  if (resumed === undefined) {
    service.count("opened", entry, language);
    if (isRefused) await refuse("preview_invalid", () => {});
    else if (isPaused()) await refuse("agent_paused", () => showNotice());
    else {
      showNotice();
      void refresh().catch(() => {});
    }
  } else {
    face.wear();
    // Before anything is painted: the visitor goes on with the page that they came to.
    resumed.dock?.(frame);
    if (release === undefined) await giveUp("elsewhere", () => showNotice());
    else showTalk({ notice: spoken().notice, ...resumed });
  }
  return {
    focus: () => frame.focus(),
    end: () => (talk === undefined ? frame.close() : talk.end()),
  };
}
