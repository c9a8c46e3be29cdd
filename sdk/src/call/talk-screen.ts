import type {
  CardWords,
  LiveAgentState,
  LiveEndReason,
  LiveOpenCard,
  LiveShown,
  SessionStart,
} from "@svc/contract/types";
import type * as CardsChunk from "../cards-and-endings/index.ts";
import type {
  CardPlace,
  Composer,
  EndedScreen,
  HelpPlace,
  KeptCall,
} from "../cards-and-endings/index.ts";
import { element, iconButton } from "../kit.ts";
import type { Cited } from "../sources/index.ts";
import type { AgentFace } from "./agent-face.ts";
import { agreeOnMode } from "./agree-on-mode.ts";
import type { CallOptions, CallSession, Texts } from "./call-options.ts";
import { conversationLog, warningLine } from "./conversation-log.ts";
import type { Frame } from "./frame.ts";
import { ICONS } from "./icons.ts";
import { forgetCall } from "./keep-call.ts";
import { connectLive } from "./live-connection.ts";
import type { LiveConnection, LiveNews } from "./live-connection.ts";
import { loadWorded, withCards, withWorded } from "./load-texts.ts";
import { createStage } from "./stage.ts";
import { stateLabel, talkHeader } from "./talk-header.ts";
import type { CallState } from "./talk-header.ts";
import { voiceBar } from "./voice-bar.ts";
import type { Voice } from "./voice.ts";

export interface TalkOptions extends Omit<CallOptions, "notice">, CallSession {
  language: string;
  texts: Texts;
  frame: Frame;
  face: AgentFace;
  /** On its way to be open, where the visitor chose to talk. */
  voice: Voice;
  /** The visitor begins a further session, which goes on from this one. */
  onGoOn: (continues: SessionStart["continues"]) => void;
  /** It goes on in another tab. */
  onMoved: () => void;
}

export interface Talk {
  element: HTMLElement;
  initialFocus: HTMLElement;
  /** The visitor ends it: goodbye is shown. */
  end(): void;
  /** The page goes on without it. */
  close(): void;
}

/** About as long as visitors are told that it takes. */
const PROMISED_MS = 300_000;

/** The conversation itself, by voice or in text, and from one to the other. */
export function talkScreen(options: TalkOptions): Talk {
  const { agent, language, texts, frame, face, service, sessionId, liveUrl, test, notice, voice } =
    options;
  const { strings } = texts;
  const call = { agent: service.agent, sessionId, liveUrl, language, test, notice };
  let link: CallState["link"] = "new";
  let agentState: LiveAgentState = "listening";
  let isOver = false;
  let wasTalking = voice.state !== "off";
  let toldMuted: boolean | undefined;
  // In a preview the ribbon tells.
  let isTestTold = !test || service.preview !== undefined;
  let ended: EndedScreen | undefined;
  let mailTo: string | undefined;
  let resumeToken = "";
  let kept: KeptCall | undefined;
  let unwatch: (() => void) | undefined;

  /** Without the agent's first words nobody has come yet. */
  let joining: string | undefined = agent.name;
  let beganAt = Date.now();

  const log = conversationLog(agent.name, strings, () => {
    const small = options.kit.drawFace("");
    void options.dress(small);
    return small;
  });
  const status = element("span", { role: "status", className: "state" });
  const warning = warningLine(log.following);
  const cardElement = element("div", { className: "card-place" });
  let cards: CardPlace | undefined;
  face.moment = () => ({ state: agentState, analyser: voice.sound?.analyser });
  const stage = createStage(options, face.element, (message) => live.send(message));
  const header = talkHeader(agent, strings, end);
  const bar = voiceBar(voice, strings);
  const talk = iconButton(strings.talk, ICONS.microphone, () => voice.start());
  talk.classList.add("start-talking");

  const foot = element("div", { className: "foot" }, agent.modes.includes("voice") && talk);
  let composer: Composer | undefined;
  let problem: HelpPlace | undefined;

  const screen = element(
    "section",
    { className: "talk", "data-talk": "" },
    header.element,
    stage.element,
    element(
      "div",
      { className: "column" },
      element("div", { className: "tile" }),
      log.element,
      warning.element,
      cardElement,
      bar.element,
      foot,
    ),
  );

  const live: LiveConnection = connectLive({
    ...options,
    sound: () => voice.sound,
    onWelcome: (welcome, isFresh) => {
      // What the visitor ended while it was lost is only told.
      if (isOver) return;
      resumeToken = welcome.resume_token;
      kept?.store();
      link = "there";
      agentState = welcome.state;
      beganAt = Date.now() + 1_000 * (welcome.seconds_left - agent.max_minutes * 60);
      if (isFresh) {
        log.fill(welcome.transcript);
        cite(welcome);
        const last = welcome.transcript.at(-1);
        if (last) {
          stage.caption(last.content);
          arrive();
        }
        if (welcome.content) stage.take({ content: welcome.content });
        if (welcome.card !== undefined) showCard(welcome.card);
      }
      modes.welcomed(welcome.mode);
      draw();
    },
    onMessage,
    onSound: voice.take,
    onLost: () => {
      link = "lost";
      voice.silence();
      draw();
    },
    onOver: (why) => {
      if (why === "over") return showEnded("visitor_gone");
      leave();
      options.onMoved();
    },
  });
  const modes = agreeOnMode({
    voice,
    ask: (mode) => live.send({ type: "switch", mode }),
    onGone: () => warning.say(strings.voice_gone),
  });

  function onMessage(message: LiveNews): void {
    switch (message.type) {
      case "state":
        agentState = message.state;
        draw();
        break;
      case "caption":
        log.caption(message, voice.state === "open");
        stage.caption(message.text);
        cite(message);
        arrive();
        break;
      case "mode":
        modes.told(message.mode);
        break;
      case "content":
      case "page":
      case "action":
        stage.take(message);
        break;
      case "card":
        showCard(message.card);
        break;
      case "warning":
        withCards(texts, ({ warningText }, words) => warning.say(warningText(message, words)));
        break;
      case "ended":
        mailTo = message.mail_to;
        showEnded(message.reason);
        tellMail();
        break;
      case "recap":
        ended?.recap(message.lines);
        break;
      default:
        voice.take(message);
    }
  }

  /** Whatever has changed: what is seen, and what the server must know of it. */
  function draw(): void {
    const isTalking = voice.state !== "off";
    screen.dataset["state"] = joining ? "joining" : agentState;
    screen.dataset["voice"] = voice.state;
    screen.classList.toggle("lost", link === "lost");
    const done = Math.min(1, (Date.now() - beganAt) / PROMISED_MS);
    screen.style.setProperty("--done", done.toFixed(3));
    talk.hidden = isTalking;
    bar.draw();
    problem?.draw();
    if (isTalking) bar.meter.after(status);
    else header.who.append(status);
    const label = stateLabel(strings, { link, agent: agentState, voice, joining });
    // Unchanged words are not announced again.
    if (status.textContent !== label) status.textContent = label;
    if (joining) stage.caption(label);
    if (wasTalking !== isTalking) {
      wasTalking = isTalking;
      if (isTalking) warning.clear();
      log.toEnd();
      home().focus();
    }
    if (!isTalking || !joining) withCards(texts, showMore);
    if (link === "new") return;
    modes.settle();
    const muted = voice.state === "open" ? voice.isMuted : undefined;
    if (muted !== undefined && muted !== toldMuted) live.send({ type: "mute", muted });
    toldMuted = muted;
  }

  /** Where the keyboard is at home. On a phone a field would open its own. */
  function home(): HTMLElement {
    return voice.state === "off" ? (composer?.field ?? screen) : bar.mute;
  }

  /** Links the pages that answers come from. */
  function cite(answers: Cited): void {
    if (answers.sources)
      withWorded("sources", texts, (chunk, words) => chunk.cite(answers, log, frame, words));
  }

  /** The agent has said something. */
  function arrive(): void {
    joining = undefined;
    draw();
    face.wear();
  }

  /** What a visitor who talks does not need before the agent's first words. */
  function showMore(
    {
      addControls,
      createComposer,
      helpPlace,
      keepCall,
      microphoneChoice,
      watchVisibility,
    }: typeof CardsChunk,
    words: CardWords,
  ): void {
    if (isOver) return;
    if (frame.onSize === undefined) {
      const drawControls = addControls(header.element, { ...options, strings, words, onEnd: end });
      frame.onSize = () => {
        drawControls();
        log.toEnd();
        home().focus();
      };
    }
    if (problem === undefined) {
      problem = helpPlace({
        ...options,
        strings,
        load: () => loadWorded("microphone-help", texts),
        say: warning.say,
        onShown: log.toEnd,
        onType: () => home().focus(),
      });
      cardElement.before(problem.element);
    }
    problem.draw();
    if (composer === undefined) {
      composer = createComposer(words, {
        ...options,
        onSend: (text) => say(text),
        onTyping: () => live.send({ type: "typing" }),
      });
      foot.append(composer.element);
      if (voice.state === "off" && !frame.isMinimized) home().focus();
    }
    unwatch ??= watchVisibility((visible) => live.send({ type: "visibility", visible }));
    kept ??= keepCall({ frame, composer }, () => ({
      ...call,
      resumeToken,
      unsent: live.unsent,
      minimized: frame.isMinimized,
      talking: voice.state === "open" && !voice.isMuted,
    }));
    if (!isTestTold) log.note(words.test_session);
    isTestTold = true;
    if (voice.sound === undefined || bar.choice.hasChildNodes()) return;
    bar.choice.append(microphoneChoice(voice.sound, words.microphone));
  }

  function showCard(card: LiveOpenCard | null): void {
    withCards(texts, ({ cardPlace }, words) => {
      cards ??= cardPlace(cardElement, {
        ...options,
        words,
        log,
        send: live.send,
        reply: (text) => say(text, true),
        focus: () => home().focus(),
      });
      cards.show(card);
    });
  }

  function say(text: string, isQuickReply = false): void {
    warning.clear();
    // After a card that is still on its way.
    withCards(texts, () => cards?.dropReplies());
    problem?.shorten();
    log.typed(text);
    live.send(isQuickReply ? { type: "text", text, quick_reply: true } : { type: "text", text });
    (isQuickReply ? home() : composer!.field).focus();
  }

  function end(): void {
    if (isOver) return frame.close();
    live.send({ type: "end" });
    showEnded("visitor_ended");
  }

  function showEnded(reason: LiveEndReason): void {
    if (isOver) return;
    leave();
    service.count("ended", options.entry, language);
    options.emit("ended", { sessionId, reason });
    if (frame.isMinimized) frame.restore();
    const shown = {
      ...options,
      reason,
      email: cards?.email,
      log: log.element,
      seen: stage.seen,
      open: (content: LiveShown) => {
        ended!.element.append(stage.element);
        stage.take({ content }, true);
      },
      send: live.send,
      onGoOn: () => options.onGoOn({ session_id: sessionId, resume_token: resumeToken }),
    };
    loadWorded("cards-and-endings", texts).then(
      ([{ endedScreen }, words]) => {
        frame.show(() => (ended = endedScreen({ ...shown, words: words.cards })).element);
        tellMail();
      },
      () => frame.close(),
    );
  }

  /** Who ended it themselves reads goodbye before the server says whether a mail follows. */
  function tellMail(): void {
    if (mailTo !== undefined) ended?.mailGoesTo(mailTo);
  }

  /** It is over here: nothing is kept for the next page, and nobody listens. */
  function leave(): void {
    isOver = true;
    frame.onSize = undefined;
    voice.onChange = () => {};
    voice.stop();
    if (kept) kept.forget();
    else forgetCall();
    unwatch?.();
  }

  options.askForTap?.(talk);
  voice.onChange = draw;
  voice.onMicrophone = live.sendSound;
  voice.onPlayback = live.send;
  voice.onLevel = (level) => screen.style.setProperty("--visitor", String(level));
  draw();

  return {
    element: screen,
    initialFocus: home(),
    end,
    close() {
      leave();
      live.close();
    },
  };
}
