import type { Sentences } from "./see-sentences.ts";

const bootstrap: Sentences = {
  "the snippet inserts a script element with id svc-sdk from {sdk_url}/sdk/sdk.js": {
    load: "snippet",
    see: () => document.querySelector<HTMLScriptElement>("#svc-sdk")?.src.endsWith("/sdk/sdk.js"),
  },
  "the snippet does nothing if an element with that id already exists": {
    load: "twice",
    see: () => {
      const { agentId } = window.SvcConfig as SvcConfig;
      return document.querySelectorAll("#svc-sdk").length === 1 && agentId !== "agent_other";
    },
  },
  "recordingNotice is shown in the demo session": {
    before: () => {
      window.SvcConfig!.recordingNotice = "Our own words about recording.";
    },
    see: async ({ dialog }) => {
      await Svc.startDemo();
      return dialog()?.textContent.includes("Our own words about recording.");
    },
  },
  "without recordingNotice the agent's notice is shown": async ({ dialog }) => {
    await Svc.startDemo({ language: "en" });
    return dialog()?.textContent.includes("You talk with an AI");
  },
  "a page without an agent is told so in its console, and nothing breaks": {
    agent: "none",
    see: async ({ warnings }) => {
      const { opened } = await Svc.startDemo();
      return !opened && warnings.some((text) => text.includes("agentId"));
    },
  },
};

const operations: Sentences = {
  "startDemo opens the demo agent in a modal overlay": async ({ dialog }) => {
    const { opened } = await Svc.startDemo();
    return opened && dialog()?.matches(":modal");
  },
  "startDemo's metadata is merged over what setMetadata has set": {
    see: async ({ startedWith }) => {
      Svc.setMetadata({ a: "page", b: "page" });
      await Svc.startDemo({ metadata: { b: "start" } });
      const { a, b } = await startedWith();
      return a === "page" && b === "start";
    },
    broken: () => {
      const start = Svc.startDemo;
      Svc.startDemo = () => start();
    },
  },
  "startDemo speaks the language that it is given": async ({ dialog }) => {
    await Svc.startDemo({ language: "fr" });
    return dialog()?.lang === "fr" && dialog()?.textContent.includes("Vous parlez avec une IA");
  },
  "without a language the visitor's browser languages are matched against the agent's": {
    languages: ["it", "es-MX", "de"],
    see: async ({ dialog }) => {
      await Svc.startDemo();
      return dialog()?.lang === "es";
    },
  },
  "the agent's default is the fallback": {
    languages: ["ja"],
    see: async ({ dialog }) => {
      await Svc.startDemo();
      return dialog()?.lang === "en";
    },
  },
  "setMetadata holds for every demo started on the page": async (inPage) => {
    Svc.setMetadata({ plan: "pro" });
    for (let round = 0; round < 2; round++) {
      inPage.sent.start = undefined;
      await Svc.startDemo();
      const { plan } = await inPage.startedWith();
      if (plan !== "pro") return false;
      await inPage.until(() => inPage.dialog()?.querySelector(".end"));
      Svc.endDemo();
      await inPage.press("Close");
      await inPage.until(() => !inPage.dialog());
    }
    return true;
  },
  "trackButtonView tells when the button becomes visible, once": async ({ sent, pause, until }) => {
    const button = document.createElement("button");
    button.textContent = "x";
    button.style.cssText = "display:block;margin-top:3000px";
    document.body.append(button);
    Svc.trackButtonView(button);
    Svc.trackButtonView(button);
    await pause(300);
    if (sent.events.length > 0) return false;
    button.scrollIntoView();
    await until(() => sent.events.length > 0);
    scrollTo(0, 0);
    await pause(200);
    button.scrollIntoView();
    await pause(300);
    return sent.events.map(({ event }) => event).join() === "button_viewed";
  },
  "getLanguages lists the agent's languages, those of the visitor first": {
    languages: ["fr-CA", "de-AT"],
    see: async () => (await Svc.getLanguages()).join() === "fr,de,en,es",
    broken: () => {
      const list = Svc.getLanguages;
      Svc.getLanguages = async () => (await list()).toSorted();
    },
  },
  "checkClient says allowed and null when a demo can be started": async () => {
    const { allowed, reason } = await Svc.checkClient();
    return allowed && reason === null;
  },
  "checkClient says why when it cannot": {
    agent: "unknown",
    see: async () => {
      const { allowed, reason } = await Svc.checkClient();
      return !allowed && reason === "agent_unknown";
    },
  },
};

const versioning: Sentences = {
  "config.sessionData still works for config.metadata, with one hint": async (inPage) => {
    await Svc.startDemo({ sessionData: { a: "1" } });
    const { a } = await inPage.startedWith();
    const hints = inPage.warnings.filter((text) => text.includes("sessionData"));
    return a === "1" && hints.length === 1;
  },
  "setSessionData still works for setMetadata, with one hint": async (inPage) => {
    Svc.setSessionData({ a: "1" });
    Svc.setSessionData({ a: "2" });
    await Svc.startDemo();
    const { a } = await inPage.startedWith();
    const hints = inPage.warnings.filter((text) => text.includes("setSessionData"));
    return a === "2" && hints.length === 1;
  },
  "the earlier bootstrap: clientId at /sdk/v0/sdk.js means the account's default agent": {
    load: "v0",
    see: async ({ dialog, warnings }) => {
      await Svc.startDemo();
      return dialog()?.textContent.includes("Linden") && warnings.length === 0;
    },
  },
};

/** What was decided where the specification is silent. */
const decided: Sentences = {
  "startDemo resolves and never rejects: a second one is told that the first is open": async () => {
    await Svc.startDemo();
    const second = await Svc.startDemo();
    return !second.opened && second.reason === "already_open";
  },
  "metadata over the limits is refused with a reason and a hint, and nothing opens": async ({
    dialog,
    warnings,
  }) => {
    const result = await Svc.startDemo({ metadata: { big: "x".repeat(9000) } });
    const isRefused = !result.opened && result.reason === "metadata_too_large";
    return isRefused && !dialog() && warnings.length === 1;
  },
  "metadata that JSON cannot hold is refused with a hint that names the key, and nothing opens":
    async ({ dialog, warnings }) => {
      const data: Record<string, unknown> = {};
      data["self"] = data;
      const { opened } = await Svc.startDemo({ metadata: { data } });
      return !opened && !dialog() && warnings.join().includes('"data" cannot be encoded');
    },
  "`metadata` wins over its alias `sessionData`": async ({ startedWith }) => {
    await Svc.startDemo({ sessionData: { a: "old" }, metadata: { a: "new" } });
    return (await startedWith())["a"] === "new";
  },
  "setMetadata replaces, and copies": {
    see: async ({ startedWith }) => {
      Svc.setMetadata({ first: "1" });
      const data = { second: "2" };
      Svc.setMetadata(data);
      data.second = "changed";
      await Svc.startDemo();
      const { first, second } = await startedWith();
      return first === undefined && second === "2";
    },
    broken: () => {
      Svc.setMetadata = () => {};
    },
  },
  "strings stay as they are, other values are JSON-encoded, undefined and functions are dropped":
    async ({ startedWith }) => {
      const metadata = { s: "", n: 5, o: { a: [1] }, z: null, u: undefined, f() {} };
      await Svc.startDemo({ metadata });
      const expected = { s: "", n: "5", o: '{"a":[1]}', z: "null" };
      return JSON.stringify(await startedWith()) === JSON.stringify(expected);
    },
  "an unsupported explicit language goes through the same matcher": {
    languages: ["es"],
    see: async ({ dialog }) => {
      await Svc.startDemo({ language: "de-CH" });
      return dialog()?.lang === "de";
    },
  },
  "getLanguages gives an empty list and a hint when the service cannot be reached": {
    before: ({ service }) => void (service.isDown = true),
    see: async ({ warnings }) => {
      const codes = await Svc.getLanguages();
      return codes.length === 0 && warnings.length === 1;
    },
  },
  "getLanguages of an agent that does not exist gives an empty list and a hint that says so": {
    agent: "unknown",
    see: async ({ warnings }) =>
      (await Svc.getLanguages()).length === 0 && warnings.join().includes("agent_unknown"),
  },
  "metadata that is no object is left out with a hint, and a BigInt is explained when it is set":
    async ({ startedWith, warnings }) => {
      Svc.setMetadata({ plan: "pro" });
      Svc.setMetadata(5 as never);
      await Svc.startDemo({ metadata: "x" as never });
      const sent = JSON.stringify(await startedWith());
      Svc.setMetadata({ seats: 5n });
      return sent === '{"plan":"pro"}' && warnings.length === 3 && warnings[2]!.includes("seats");
    },
  "checkClient says service_unavailable when the service cannot be reached": {
    before: ({ service }) => void (service.isDown = true),
    see: async () => (await Svc.checkClient()).reason === "service_unavailable",
  },
  "checkClient says offline when the browser is": {
    before: ({ service }) => {
      service.isDown = true;
      Object.defineProperty(navigator, "onLine", { value: false });
    },
    see: async () => (await Svc.checkClient()).reason === "offline",
  },
  "checkClient says microphone_blocked when the visitor has forbidden it and the agent has no text mode":
    {
      before: ({ service, forbidMicrophone }) => {
        forbidMicrophone();
        service.facts = { modes: ["voice"] };
      },
      see: async () => {
        const { allowed, reason } = await Svc.checkClient();
        return !allowed && reason === "microphone_blocked";
      },
    },
  "a forbidden microphone is no reason where the agent has a text mode": {
    before: ({ service, forbidMicrophone }) => {
      forbidMicrophone();
      service.facts = { modes: ["voice", "text"] };
    },
    see: async () => {
      const { allowed, reason } = await Svc.checkClient();
      return allowed && reason === null;
    },
  },
  "startDemo says why when the service cannot be reached, and recovers": {
    before: ({ service }) => void (service.isDown = true),
    see: async ({ service }) => {
      const first = await Svc.startDemo();
      service.isDown = false;
      const second = await Svc.startDemo();
      return !first.opened && first.reason === "service_unavailable" && second.opened;
    },
  },
  "events tell open, started with the session's id, ended and closed, in that order": async ({
    press,
    until,
  }) => {
    const heard: string[] = [];
    let id = "";
    Svc.on("open", () => heard.push("open"));
    Svc.on("started", ({ sessionId }) => {
      heard.push("started");
      id = sessionId;
    });
    Svc.on("ended", () => heard.push("ended"));
    Svc.on("closed", () => heard.push("closed"));
    await Svc.startDemo();
    await press("Start");
    await until(() => heard.length === 2);
    Svc.endDemo();
    await press("Close");
    await until(() => heard.length === 4);
    return heard.join() === "open,started,ended,closed" && /^[0-9a-f-]{36}$/.test(id);
  },
  "off takes a listener away, and what a listener throws stops nothing": async () => {
    let calls = 0;
    const listener = (): void => void (calls += 1);
    Svc.on("open", () => {
      throw new Error("the page's own");
    });
    Svc.on("open", listener);
    Svc.off("open", listener);
    const { opened } = await Svc.startDemo();
    return opened && calls === 0;
  },
  "a start refused after opening shows why and fires unavailable": async (inPage) => {
    let told: string | undefined;
    Svc.on("unavailable", ({ reason }) => void (told = reason));
    await Svc.startDemo();
    inPage.service.isFull = true;
    await inPage.press("Start");
    await inPage.until(() => told);
    const isShown = inPage.dialog()?.textContent.includes("conversation right now");
    return told === "at_capacity" && isShown;
  },
  "a visitor who finds no place leaves an address": async ({ service, press, sent, ...inPage }) => {
    await Svc.startDemo({ language: "en" });
    service.isFull = true;
    await press("Start");
    await inPage.until(() => inPage.dialog()?.querySelector("input[type=email]"));
    service.isFull = false;
    inPage.dialog()!.querySelector<HTMLInputElement>("input[type=email]")!.value =
      "ada@example.com";
    await press("Use this address");
    await inPage.until(() => inPage.dialog()?.textContent.includes("noted ada@example.com"));
    return sent.start?.without_call === true && sent.start.metadata["email"] === "ada@example.com";
  },
  "in a flood of starts a browser solves a challenge, and its visitor talks": {
    agent: "flooded",
    see: async ({ sent, press, until, dialog }) => {
      const { src } = document.querySelector<HTMLScriptElement>("#svc-sdk")!;
      const { agentId } = window.SvcConfig as SvcConfig;
      // From some number on, starts have to solve a challenge.
      const startAlone = async (): Promise<boolean> => {
        const answer = await fetch(new URL("/sdk/v1/sessions", src), {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({
            agent_id: agentId,
            start_key: crypto.randomUUID(),
            mode: "text",
            language: "en",
            metadata: {},
            page: location.href,
            notice: { text: "An AI.", language: "en", accepted_at: new Date().toISOString() },
          }),
        });
        const { error } = (await answer.json()) as { error?: { challenge?: object } };
        return error?.challenge !== undefined;
      };
      for (let tries = 0; !(await startAlone()); tries++) if (tries > 10) return "no challenge";
      await Svc.startDemo({ language: "en" });
      await press("Start");
      await until(() => dialog()?.querySelector("li.assistant"));
      return sent.start?.challenge_solution !== undefined;
    },
    // A wrong solution.
    broken: () => {
      const encode = window.btoa;
      window.btoa = (text) => encode(text.replace(/"counter":[0-9]+/, '"counter":1'));
    },
  },
  "startDemo on a paused agent opens nothing and says agent_paused, until the agent is resumed": {
    before: ({ service }) => void (service.facts = { paused: true }),
    see: async ({ service, dialog }) => {
      const first = await Svc.startDemo();
      const isClosed = !dialog();
      service.facts = {};
      const second = await Svc.startDemo();
      return !first.opened && first.reason === "agent_paused" && isClosed && second.opened;
    },
  },
  "the widget's button tells visitors that the agent is paused": {
    before: ({ service }) => void (service.facts = { paused: true }),
    see: async ({ show, dialog, until }) => {
      show().querySelector<HTMLElement>(".cta")!.click();
      return until(() => dialog()?.textContent.includes("taking a break"));
    },
  },
  "a preview link starts a test, which the call says, and is taken out of the address": {
    preview: "works",
    see: async ({ dialog, sent, startedWith, until }) => {
      let isTest: boolean | undefined;
      Svc.on("started", ({ test }) => void (isTest = test));
      if (location.hash !== "#part") return location.hash;
      await Svc.startDemo();
      const isSaid = dialog()?.textContent.startsWith("Preview: not recorded");
      await startedWith();
      await until(() => isTest !== undefined);
      const isSent = sent.start?.preview_token === sessionStorage.getItem("svc-preview");
      return isSaid && isSent && isTest && sent.events.length === 0;
    },
  },
  "a preview link that has expired starts nothing, and the call says so": {
    preview: "expired",
    see: async ({ dialog, sent }) => {
      const { reason } = await Svc.checkClient();
      await Svc.startDemo();
      const isSaid = dialog()?.textContent.startsWith("This preview link does not work");
      return reason === "preview_invalid" && isSaid && sent.start === undefined;
    },
  },
  "calls made before the SDK has loaded are answered, in order": {
    load: "snippet",
    see: async () => {
      const [codes, client] = await Promise.all([window.early.codes, window.early.client]);
      return (
        codes.toSorted()[1] === "en" && client.allowed && (await window.early.ready) === undefined
      );
    },
  },
  "a method that was taken before the SDK has loaded works afterwards": {
    load: "snippet",
    see: async ({ dialog }) => {
      const { opened } = await window.startDemoEarly();
      return opened && dialog() !== undefined;
    },
  },
  "nothing is requested and nothing is stored before the visitor acts": async ({ pause, sent }) => {
    await pause(300);
    const stored = localStorage.length + sessionStorage.length;
    return sent.all.length === 0 && stored === 0 && document.cookie === "";
  },
  "an unaccepted notice leaves nothing but counters": async ({
    press,
    until,
    dialog,
    pause,
    sent,
  }) => {
    await Svc.startDemo();
    await press("Not now");
    await until(() => !dialog());
    await pause(100);
    const counted = sent.events.map(({ event }) => event).join();
    return sent.start === undefined && sessionStorage.length === 0 && counted === "opened,declined";
  },
  "one sessionStorage key while a call is live, and none afterwards": async ({
    press,
    until,
    dialog,
  }) => {
    await Svc.startDemo();
    await press("Start");
    await until(() => sessionStorage.length === 1);
    Svc.endDemo();
    await press("Close");
    await until(() => !dialog());
    return sessionStorage.length + localStorage.length === 0 && document.cookie === "";
  },
  "exactly one global is added": ({ added }) => added().join() === "Svc",
  "nonsense never throws into the page": async ({ until, dialog }) => {
    const thrower = {
      get metadata(): never {
        throw new Error("no");
      },
    };
    for (const junk of [undefined, null, 5, "x", [], () => {}, Symbol("x"), thrower] as never[]) {
      Svc.setMetadata(junk);
      Svc.setSessionData(junk);
      Svc.trackButtonView(junk);
      Svc.on("open", junk);
      Svc.off("open", junk);
      Svc.on(junk, () => {});
      await Svc.startDemo(junk);
      Svc.endDemo();
      await until(() => !dialog());
    }
    return true;
  },
};

export const CORE_SENTENCES: Sentences = { ...bootstrap, ...operations, ...versioning, ...decided };
