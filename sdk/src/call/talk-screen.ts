import type { LiveEndReason, LiveServerMessage, LiveWelcome } from "@svc/contract/types";
import { fill } from "../strings/strings.ts";
import type { Strings } from "../strings/strings.ts";
import { agentMark } from "./agent-mark.ts";
import { confirmedNote, renderCard } from "./cards.ts";
import { createComposer } from "./composer.ts";
import { conversationLog } from "./conversation-log.ts";
import { element, icon, iconButton } from "../core/element.ts";
import { endedScreen } from "./ended-screen.ts";
import type { Frame } from "./frame.ts";
import { ICONS } from "./icons.ts";
import { connectLive } from "./live-connection.ts";
import type { LiveConnection } from "./live-connection.ts";
import type { CallOptions } from "./open-call.ts";
import { createStage } from "./stage.ts";
import { storeCall } from "./stored-call.ts";
import { troubleScreen } from "./trouble-screen.ts";

export interface TalkOptions extends CallOptions {
  sessionId: string;
  liveUrl: string;
  ticket?: string;
  resumeToken?: string;
  test: boolean;
  strings: Strings;
  frame: Frame;
}

export interface Talk {
  element: HTMLElement;
  initialFocus: HTMLElement;
  /** The visitor ends it: goodbye is shown. */
  end(): void;
  /** The page goes on without it. */
  close(): void;
}

/** The conversation itself. */
export function talkScreen(options: TalkOptions): Talk {
  const { agent, strings, frame, service, sessionId } = options;
  let email: string | undefined;
  let isOver = false;
  let cardId: string | undefined;

  const log = conversationLog(agent.name, strings);
  const status = element("span", { role: "status", className: "state" }, strings.connecting);
  const card = element("div", { className: "card-place" });
  const warning = element("p", { role: "status", className: "warning", hidden: true });
  const stage = createStage(options.load, strings, () => screen.classList.add("with-stage"));
  const composer = createComposer(strings, {
    onSend: (text) => say(text),
    onTyping: () => live.send({ type: "typing" }),
  });
  const small = iconButton(strings.minimize, ICONS.minimize, () => frame.minimize());
  const large = iconButton(strings.restore, ICONS.restore, () => frame.restore());
  frame.onSize = () => {
    small.hidden = frame.isMinimized;
    large.hidden = !frame.isMinimized;
    log.toEnd();
    composer.field.focus();
  };
  large.hidden = true;

  const screen = element(
    "section",
    { className: "talk", "data-talk": "" },
    element(
      "header",
      {},
      agentMark(agent),
      element(
        "div",
        { className: "who" },
        element("h2", {}, agent.name),
        element(
          "p",
          { className: "quiet" },
          element("span", { className: "ai" }, `${strings.aiGuide} · `),
          status,
        ),
      ),
      agent.person !== undefined &&
        element(
          "a",
          {
            className: "person",
            href: agent.person,
            target: "_blank",
            rel: "noopener",
            title: strings.person,
            "aria-label": strings.person,
          },
          icon(ICONS.person),
          element("span", {}, strings.person),
        ),
      small,
      large,
      element("button", { type: "button", className: "end", onclick: end }, strings.end),
    ),
    stage.element,
    element(
      "div",
      { className: "column" },
      options.test && element("p", { className: "test" }, strings.testSession),
      log.element,
      warning,
      card,
      composer.element,
    ),
  );

  const live: LiveConnection = connectLive({
    url: options.liveUrl,
    sessionId,
    ...(options.ticket === undefined ? {} : { ticket: options.ticket }),
    ...(options.resumeToken === undefined ? {} : { resumeToken: options.resumeToken }),
    onWelcome: (welcome, isFresh) => {
      keep(welcome);
      status.textContent = strings[welcome.state];
      screen.classList.remove("lost");
      if (!isFresh) return;
      log.fill(welcome.transcript);
      if (welcome.content !== undefined) stage.show(welcome.content);
      if (welcome.card !== undefined) drawCard(welcome.card);
    },
    onMessage,
    onLost: () => {
      status.textContent = strings.reconnecting;
      screen.classList.add("lost");
    },
    onOver: (why) => {
      if (why === "over") showEnded("visitor_gone");
      else {
        leave();
        frame.show(
          troubleScreen({
            trouble: "moved",
            strings,
            onAgain: () => {},
            onClose: () => frame.close(),
          }),
        );
      }
    },
  });

  function onMessage(message: LiveServerMessage): void {
    switch (message.type) {
      case "state":
        status.textContent = strings[message.state];
        screen.dataset["state"] = message.state;
        break;
      case "caption":
        log.caption(message);
        break;
      case "content":
        stage.show(message.content);
        break;
      case "card":
        drawCard(message.card);
        break;
      case "warning":
        warning.hidden = false;
        warning.textContent =
          message.warning === "idle"
            ? strings.idleWarning
            : fill(strings.timeWarning, { minutes: Math.ceil(message.seconds_left / 60) });
        log.toEnd();
        break;
      case "ended":
        showEnded(message.reason);
        break;
      default:
      // Sound is for calls with a voice.
    }
  }

  function drawCard(open: Parameters<typeof renderCard>[0] | null): void {
    cardId = open?.id;
    card.replaceChildren();
    if (open === null) return;
    card.append(
      renderCard(open, strings, {
        confirmEmail(id, address) {
          email = address;
          live.send({ type: "card_result", card_id: id, action: "confirmed", value: address });
          options.emit("email", { email: address });
          log.add(confirmedNote(address, strings));
          closeCard();
        },
        dismiss(id) {
          live.send({ type: "card_result", card_id: id, action: "dismissed" });
          closeCard();
        },
        reply: (text) => say(text, true),
      }),
    );
    log.toEnd();
  }

  function closeCard(): void {
    card.replaceChildren();
    composer.field.focus();
  }

  function say(text: string, isQuickReply = false): void {
    warning.hidden = true;
    if (isQuickReply || cardId?.startsWith("replies")) card.replaceChildren();
    log.typed(text);
    live.send(isQuickReply ? { type: "text", text, quick_reply: true } : { type: "text", text });
    composer.field.focus();
  }

  /** What the next page needs to go on. Renewed while it lasts, because old ones are not taken up. */
  let stored: Parameters<typeof storeCall>[0];
  function keep({ resume_token, language }: LiveWelcome): void {
    stored = {
      agent: service.agent,
      sessionId,
      resumeToken: resume_token,
      liveUrl: options.liveUrl,
      language,
      test: options.test,
      minimized: frame.isMinimized,
      at: Date.now(),
    };
    storeCall(stored);
  }
  function onPageHide(): void {
    if (stored !== undefined && !isOver) {
      storeCall({ ...stored, minimized: frame.isMinimized, at: Date.now() });
    }
  }
  function onVisibility(): void {
    live.send({ type: "visibility", visible: document.visibilityState === "visible" });
  }
  addEventListener("pagehide", onPageHide);
  document.addEventListener("visibilitychange", onVisibility);

  function end(): void {
    if (isOver) return frame.close();
    live.send({ type: "end" });
    showEnded("visitor_ended");
  }

  function showEnded(reason: LiveEndReason): void {
    if (isOver) return;
    leave();
    frame.onSize = undefined;
    service.count("ended");
    options.emit("ended", { sessionId, reason });
    if (frame.isMinimized) frame.restore();
    frame.show(
      endedScreen({
        agent,
        strings,
        reason,
        email,
        transcript: log.text(),
        onRate: (stars) => live.send({ type: "rating", stars }),
        onClose: () => frame.close(),
      }),
    );
  }

  /** It is over here: nothing is kept for the next page. */
  function leave(): void {
    isOver = true;
    storeCall(undefined);
    removeEventListener("pagehide", onPageHide);
    document.removeEventListener("visibilitychange", onVisibility);
  }

  return {
    element: screen,
    initialFocus: composer.field,
    end,
    close() {
      leave();
      live.close();
    },
  };
}
