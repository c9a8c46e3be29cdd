/**
 * Plays one moment of a call without a service behind it: the welcome of a live socket tells all
 * there is to see. The screens are the SDK's own.
 */
(() => {
  const { moment } = window.playground;
  const said = (role, content) => ({ role, content });
  const talk = [
    said(
      "assistant",
      "Hello, I'm an AI guide. I'll show you around in about five minutes. What brought you here?",
    ),
    said("user", "We get many visitors and few calls. How does this help?"),
    said(
      "assistant",
      "It talks with each of them, at once, and shows what they ask for. This is how it works.",
    ),
  ];
  const content = {
    id: "how",
    title: "How it works",
    kind: "image",
    url: new URL("slide.svg", document.baseURI).href,
  };
  const welcome = {
    type: "welcome",
    session_id: "00000000-0000-4000-8000-000000000000",
    resume_token: "played",
    received: 0,
    sent: 0,
    ping_ms: 60_000,
    mode: "text",
    language: "en",
    seconds_left: 300,
    state: "listening",
    transcript: talk,
  };
  const ask = (question) => [...talk, said("user", "Sounds good."), said("assistant", question)];
  /** What each moment has of its own, and what follows the welcome. */
  const moments = {
    greeting: [{ transcript: talk.slice(0, 1) }],
    thinking: [{ transcript: talk.slice(0, 2), state: "thinking" }],
    slide: [{ content }],
    replies: [
      {
        content,
        card: { kind: "replies", id: "c", replies: ["Show me the price", "Who uses it?"] },
      },
    ],
    email: [
      {
        transcript: ask("Where may I send you a summary?"),
        card: { kind: "email", id: "c", prefill: "dana@example.com" },
      },
    ],
    person: [
      {
        transcript: ask("I'd rather let a person answer that."),
        card: { kind: "person", id: "c", link: "https://example.com" },
      },
    ],
    time: [{ content }, { type: "warning", seq: 1, warning: "time", seconds_left: 120 }],
    lost: [{ content }],
    ended: [{}, { type: "ended", seq: 1, reason: "agent_ended" }],
  };

  class PlayedSocket extends EventTarget {
    static OPEN = 1;
    readyState = 0;
    bufferedAmount = 0;
    #seq = 10;

    constructor() {
      super();
      setTimeout(() => {
        this.readyState = PlayedSocket.OPEN;
        this.dispatchEvent(new Event("open"));
      });
    }

    send(message) {
      const { type } = JSON.parse(message);
      if (type === "text") this.#answer();
      if (type !== "hello" || moments[moment] === undefined) return;
      const [own, ...others] = moments[moment];
      for (const one of [{ ...welcome, ...own }, ...others]) this.#say(one);
      if (moment === "lost") this.#lose();
    }

    close() {
      this.readyState = 3;
    }

    #answer() {
      const text = "This talk is played, so I have no answer. On the page Button you can meet me.";
      const turn = `t${(this.#seq += 1)}`;
      setTimeout(
        () =>
          this.#say({
            type: "caption",
            seq: this.#seq,
            turn,
            role: "assistant",
            text,
            final: true,
          }),
        600,
      );
    }

    #say(message) {
      this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
    }

    /** For good: the next one that is made never opens. */
    #lose() {
      window.WebSocket = class extends EventTarget {
        close() {}
      };
      this.dispatchEvent(new CloseEvent("close", { code: 1006 }));
    }
  }

  window.WebSocket = PlayedSocket;
  window.playground.answer = (pathname) =>
    pathname.endsWith("/sdk/v1/sessions")
      ? Promise.resolve(
          Response.json({
            session_id: welcome.session_id,
            ticket: "played",
            live_url: "wss://played.invalid",
          }),
        )
      : undefined;
  // Beacons too: nobody should count a talk that never was.
  navigator.sendBeacon = () => true;
})();
