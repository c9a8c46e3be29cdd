import type { AgentFacts } from "@svc/contract/types";
import type { Chunks, LoadChunk } from "../core/chunks.ts";
import type { emit } from "../core/events.ts";
import { Unavailable } from "../core/service.ts";
import type { Service } from "../core/service.ts";
import type { Strings } from "../strings/strings.ts";
import { createFrame } from "./frame.ts";
import { noticeScreen } from "./notice-screen.ts";
import { takeOnlyCall } from "./one-call.ts";
import { newStartKey, startSession } from "./start-session.ts";
import { storedCall } from "./stored-call.ts";
import { talkScreen } from "./talk-screen.ts";
import type { Talk } from "./talk-screen.ts";
import { troubleScreen } from "./trouble-screen.ts";
import type { Trouble } from "./trouble-screen.ts";

export interface CallOptions {
  service: Service;
  agent: AgentFacts;
  load: LoadChunk;
  metadata: Record<string, string>;
  language: string;
  /** The page's own text, in place of the agent's. */
  notice: string | undefined;
  /** Goes on with the call that the page before has left. */
  resume: boolean;
  emit: typeof emit;
  onClosed: () => void;
}

export interface OpenCall {
  focus(): void;
  /** Ends the conversation, if there is one, and closes. */
  end(): void;
}

/**
 * Opens the overlay. Until the visitor accepts the notice nothing is stored anywhere. Undefined when
 * there is nothing to go on with.
 */
export async function openCall(options: CallOptions): Promise<OpenCall | undefined> {
  const { service, agent, load } = options;
  const resumed = options.resume ? storedCall(service.agent) : undefined;
  if (options.resume && resumed === undefined) return undefined;
  let language = resumed?.language ?? options.language;
  let strings = await loadStrings(load, language);
  let talk: Talk | undefined;
  let release: (() => void) | undefined;

  const frame = createFrame(agent, language, () => {
    talk?.close();
    release?.();
    options.onClosed();
  });

  function showNotice(): void {
    frame.show(
      noticeScreen({
        agent,
        strings,
        language,
        notice:
          options.notice ?? agent.languages.find(({ code }) => code === language)?.notice ?? "",
        onLanguage: async (code) => {
          strings = await loadStrings(load, code);
          language = code;
          frame.speak(code);
          showNotice();
        },
        onStart: (notice) => void start(notice),
        onCancel: () => {
          service.count("declined");
          frame.close();
        },
      }),
    );
  }

  /** One key for all tries of one click: a start whose answer got lost is found again. */
  async function start(notice: string, startKey = newStartKey()): Promise<void> {
    const acceptedAt = new Date().toISOString();
    frame.busy(strings.connecting);
    release = await takeOnlyCall();
    if (release === undefined) return showTrouble("elsewhere", showNotice);
    try {
      const started = await startSession(service.url, {
        agent_id: agent.agent_id,
        start_key: startKey,
        mode: "text",
        language,
        metadata: options.metadata,
        page: location.href.split("#")[0]!.slice(0, 4_000),
        notice: { text: notice, language, accepted_at: acceptedAt },
      });
      const test = started.test !== undefined;
      service.count("started");
      options.emit("started", { sessionId: started.session_id, language, test });
      showTalk({
        sessionId: started.session_id,
        ticket: started.ticket,
        liveUrl: started.live_url,
        test,
      });
    } catch (error) {
      release?.();
      const reason = error instanceof Unavailable ? error.reason : "service_unavailable";
      options.emit("unavailable", { reason });
      showTrouble(reason, () => void start(notice, startKey));
    }
  }

  function showTalk(session: {
    sessionId: string;
    liveUrl: string;
    ticket?: string;
    resumeToken?: string;
    test: boolean;
  }): void {
    talk = talkScreen({ ...options, ...session, language, strings, frame });
    frame.show(talk.element, talk.initialFocus);
  }

  function showTrouble(trouble: Trouble, onAgain: () => void): void {
    frame.show(troubleScreen({ trouble, strings, onAgain, onClose: () => frame.close() }));
  }

  if (resumed === undefined) {
    service.count("opened");
    showNotice();
  } else {
    release = await takeOnlyCall();
    const { sessionId, liveUrl, resumeToken, test } = resumed;
    if (release === undefined) showTrouble("elsewhere", showNotice);
    else showTalk({ sessionId, liveUrl, resumeToken, test });
    if (resumed.minimized) frame.minimize();
  }
  return {
    focus: () => frame.focus(),
    end: () => (talk === undefined ? frame.close() : talk.end()),
  };
}

const SPOKEN = ["en", "de", "fr", "es"] as const;

/** Other languages read English until somebody has reviewed theirs. */
async function loadStrings(load: LoadChunk, language: string): Promise<Strings> {
  const base = SPOKEN.find((code) => code === language.split("-")[0]) ?? "en";
  const chunk: Chunks["strings-en"] = await load(`strings-${base}`);
  return chunk.strings;
}
