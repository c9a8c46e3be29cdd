import type { AgentFacts, SessionStart } from "@svc/contract/types";
import type { emit } from "../core/events.ts";
import type { drawFace } from "../core/face.ts";
import type { Service } from "../core/service.ts";
import type { Dress } from "../core/start-demo.ts";
import { reviewed } from "../strings/strings.ts";
import type { Strings } from "../strings/strings.ts";
import type { Trouble } from "../later/index.ts";
import type { CallSession } from "./call-session.ts";
import { createFrame } from "./frame.ts";
import { loadChunk, prepareSound } from "./load-chunk.ts";
import { noticeScreen } from "./notice-screen.ts";
import { takeOnlyCall } from "./one-call.ts";
import { newStartKey, startSession } from "./start-session.ts";
import { storedCall } from "./stored-call.ts";
import { talkScreen } from "./talk-screen.ts";
import type { Talk } from "./talk-screen.ts";
import { createVoice } from "./voice.ts";

export interface CallOptions {
  service: Service;
  agent: AgentFacts;
  metadata: Record<string, string>;
  language: string;
  /** The page's own text, in place of the agent's. */
  notice: string | undefined;
  /** Goes on with the call that the page before has left. */
  resume: boolean;
  drawFace: typeof drawFace;
  dress: Dress;
  emit: typeof emit;
  onClosed: () => void;
}

export interface OpenCall {
  focus(): void;
  /** Ends the conversation, which says goodbye; closes where there is none, or it is over. */
  end(): void;
}

/**
 * Opens the overlay. Until the visitor accepts the notice nothing is stored anywhere. Undefined when
 * there is nothing to go on with.
 */
export async function openCall(options: CallOptions): Promise<OpenCall | undefined> {
  const { service } = options;
  let { agent } = options;
  const resumed = options.resume ? storedCall(service.agent) : undefined;
  if (options.resume && resumed === undefined) return undefined;
  let language = resumed?.language ?? options.language;
  let strings = await loadStrings(language);
  const voice = createVoice();
  let talk: Talk | undefined;
  let release: (() => void) | undefined;
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

  function showNotice(trouble = ""): void {
    isChoosing = true;
    const notice =
      options.notice ?? agent.languages.find(({ code }) => code === language)?.notice ?? "";
    frame.show(
      noticeScreen({
        agent,
        strings,
        language,
        notice,
        trouble,
        onLanguage: (code) => void speak(code),
        // One key and one body for all tries of one click: a start whose answer got lost is found again.
        onStart: (mode) =>
          void start({
            agent_id: agent.agent_id,
            start_key: newStartKey(),
            mode,
            language,
            metadata: options.metadata,
            page: location.href.split("#")[0]!.slice(0, 4_000),
            notice: { text: notice, language, accepted_at: new Date().toISOString() },
          }),
        onCancel: () => {
          service.count("declined");
          frame.close();
        },
      }),
    );
    if (agent.modes.includes("voice")) prepareSound();
  }

  /** The page may have asked long ago, and speech come or gone since. */
  async function refresh(): Promise<void> {
    const fresh = await service.facts(true);
    const isChanged = fresh.modes.join() !== agent.modes.join();
    agent = fresh;
    if (isChanged && isChoosing) showNotice();
  }

  async function speak(code: string): Promise<void> {
    const chosen = await loadStrings(code).catch(() => undefined);
    // They have begun since, or gone.
    if (!isChoosing) return;
    if (chosen === undefined) return showNotice(strings.unreachable);
    strings = chosen;
    language = code;
    frame.speak(code);
    showNotice();
  }

  async function start(wanted: SessionStart): Promise<void> {
    isChoosing = false;
    // Before anything is waited for: the browser must see that it was a tap.
    if (wanted.mode === "voice") voice.start();
    frame.busy(strings.connecting);
    release = await takeOnlyCall();
    if (release === undefined) return giveUp("elsewhere", () => showNotice());
    if (isClosed) return release();
    const started = await startSession(service.url, wanted);
    if (isClosed) return release();
    if ("refused" in started) {
      release();
      await giveUp(started.refused, () => void start(wanted));
      options.emit("unavailable", { reason: started.refused });
      return;
    }
    const test = started.test !== undefined;
    service.count("started");
    options.emit("started", { sessionId: started.session_id, language, test });
    showTalk({
      sessionId: started.session_id,
      ticket: started.ticket,
      liveUrl: started.live_url,
      test,
    });
  }

  /** By voice if the browser lets it, otherwise the visitor reads what to press. */
  async function talkOn(): Promise<string | undefined> {
    const later = await loadChunk("later").catch(() => undefined);
    const context = await later?.talkUnasked();
    if (context === undefined) return later?.talkAgainNote(language);
    voice.start(context);
    return undefined;
  }

  async function giveUp(trouble: Trouble, onAgain: () => void): Promise<void> {
    voice.stop();
    const later = await loadChunk("later").catch(() => undefined);
    if (later === undefined) return showNotice(strings.unreachable);
    const onClose = (): void => frame.close();
    frame.show(later.troubleScreen({ trouble, language, onAgain, onClose }));
  }

  function showTalk(session: CallSession): void {
    const onMoved = (): void => {
      release?.();
      void giveUp("moved", () => showNotice());
    };
    talk = talkScreen({ ...options, ...session, agent, language, strings, frame, voice, onMoved });
    frame.show(talk.element, talk.initialFocus);
  }

  if (resumed === undefined) {
    service.count("opened");
    showNotice();
    void refresh().catch(() => {});
  } else {
    release = await takeOnlyCall();
    const { sessionId, liveUrl, resumeToken, test } = resumed;
    const hint = resumed.talking ? await talkOn() : undefined;
    if (release === undefined) await giveUp("elsewhere", () => showNotice());
    else if (!isClosed) showTalk({ sessionId, liveUrl, resumeToken, test, hint });
    if (isClosed) {
      voice.stop();
      release?.();
      return undefined;
    }
    if (resumed.minimized) frame.minimize();
  }
  return {
    focus: () => frame.focus(),
    end: () => (talk === undefined ? frame.close() : talk.end()),
  };
}

async function loadStrings(language: string): Promise<Strings> {
  const { strings } = await loadChunk(`strings-${reviewed(language)}`);
  return strings;
}
