/** One sentence about the SDK's core, and how a page can see that it is true. */
export interface Claim {
  /** Where the sentence stands: a part of the specification, or what was decided where it is silent. */
  of: "bootstrap" | "operations" | "versioning" | "widget" | "hero" | "form" | "decided";
  says: string;
  /** Put into the page before the SDK. */
  before?: string;
  /** How the SDK comes onto the page. */
  load?: "script" | "snippet" | "patient" | "twice" | "v0" | "none" | "unknown agent" | "no config";
  /** The body of a function; must return true. `until(test)` waits, `dialog()` is the overlay, `press(text)` clicks a button in it, `sent` is what was requested, `factsAre(…)` changes what the agent is. */
  see: string;
  /** Of the viewport; 1280 unless it matters. */
  width?: number;
}

const FORBIDDEN =
  'Object.defineProperty(navigator, "permissions", { value: { query: async () => ({ state: "denied" }) } });';

export const CLAIMS: Claim[] = [
  {
    of: "bootstrap",
    says: "the snippet inserts a script element with id svc-sdk from {sdk_url}/sdk/sdk.js",
    load: "snippet",
    see: 'await until(() => window.Svc); return document.getElementById("svc-sdk").src.endsWith("/sdk/sdk.js");',
  },
  {
    of: "bootstrap",
    says: "the snippet does nothing if an element with that id already exists",
    load: "twice",
    see: 'await until(() => window.Svc?.version); return document.querySelectorAll("#svc-sdk").length === 1;',
  },
  {
    of: "bootstrap",
    says: "recordingNotice is shown in the demo session",
    before: "window.SvcConfig.recordingNotice = 'Our own words about recording.';",
    see: 'await Svc.startDemo(); return dialog().textContent.includes("Our own words about recording.");',
  },
  {
    of: "bootstrap",
    says: "without recordingNotice the agent's notice is shown",
    see: 'await Svc.startDemo({ language: "en" }); return dialog().textContent.includes("You talk with an AI");',
  },
  {
    of: "bootstrap",
    says: "a page without an agent is told so in its console, and nothing breaks",
    load: "no config",
    see: 'const result = await Svc.startDemo(); return !result.opened && warnings.some((text) => text.includes("agentId"));',
  },
  {
    of: "operations",
    says: "startDemo opens the demo agent in a modal overlay",
    see: 'const result = await Svc.startDemo(); return result.opened === true && dialog().matches(":modal");',
  },
  {
    of: "operations",
    says: "startDemo's metadata is merged over what setMetadata has set",
    see: 'Svc.setMetadata({ a: "page", b: "page" }); await Svc.startDemo({ metadata: { b: "start" } }); await press("Start"); const { metadata } = await until(() => sent.start); return metadata.a === "page" && metadata.b === "start";',
  },
  {
    of: "operations",
    says: "startDemo speaks the language that it is given",
    see: 'await Svc.startDemo({ language: "fr" }); return dialog().lang === "fr" && dialog().textContent.includes("Vous parlez avec une IA");',
  },
  {
    of: "operations",
    says: "without a language the visitor's browser languages are matched against the agent's",
    before: 'Object.defineProperty(navigator, "languages", { value: ["it", "es-MX", "de"] });',
    see: 'await Svc.startDemo(); return dialog().lang === "es";',
  },
  {
    of: "operations",
    says: "the agent's default is the fallback",
    before: 'Object.defineProperty(navigator, "languages", { value: ["ja"] });',
    see: 'await Svc.startDemo(); return dialog().lang === "en";',
  },
  {
    of: "operations",
    says: "setMetadata holds for every demo started on the page",
    see: 'Svc.setMetadata({ plan: "pro" }); for (const round of [1, 2]) { sent.start = undefined; await Svc.startDemo(); await press("Start"); const { metadata } = await until(() => sent.start); if (metadata.plan !== "pro") return false; await until(() => dialog()?.querySelector(".end")); Svc.endDemo(); await press("Close"); await until(() => !dialog()); } return true;',
  },
  {
    of: "operations",
    says: "trackButtonView tells when the button becomes visible, once",
    see: 'const button = document.createElement("button"); button.textContent = "x"; button.style.cssText = "display:block;margin-top:3000px"; document.body.append(button); Svc.trackButtonView(button); Svc.trackButtonView(button); await pause(300); if (sent.events.length > 0) return false; button.scrollIntoView(); await until(() => sent.events.length > 0); scrollTo(0, 0); await pause(200); button.scrollIntoView(); await pause(300); return sent.events.length === 1 && sent.events[0].event === "button_viewed";',
  },
  {
    of: "operations",
    says: "getLanguages lists the agent's languages, those of the visitor first",
    before: 'Object.defineProperty(navigator, "languages", { value: ["fr-CA", "de-AT"] });',
    see: 'return (await Svc.getLanguages()).join() === "fr,de,en,es";',
  },
  {
    of: "operations",
    says: "checkClient says allowed and null when a demo can be started",
    see: "const { allowed, reason } = await Svc.checkClient(); return allowed === true && reason === null;",
  },
  {
    of: "operations",
    says: "checkClient says why when it cannot",
    load: "unknown agent",
    see: 'const { allowed, reason } = await Svc.checkClient(); return allowed === false && reason === "agent_unknown";',
  },
  {
    of: "versioning",
    says: "config.sessionData still works for config.metadata, with one hint",
    see: 'await Svc.startDemo({ sessionData: { a: "1" } }); await press("Start"); const { metadata } = await until(() => sent.start); return metadata.a === "1" && warnings.filter((text) => text.includes("sessionData")).length === 1;',
  },
  {
    of: "versioning",
    says: "setSessionData still works for setMetadata, with one hint",
    see: 'Svc.setSessionData({ a: "1" }); Svc.setSessionData({ a: "2" }); await Svc.startDemo(); await press("Start"); const { metadata } = await until(() => sent.start); return metadata.a === "2" && warnings.filter((text) => text.includes("setSessionData")).length === 1;',
  },
  {
    of: "versioning",
    says: "the earlier bootstrap: clientId at /sdk/v0/sdk.js means the account's default agent",
    load: "v0",
    see: 'await Svc.startDemo(); return dialog().textContent.includes("Linden") && warnings.length === 0;',
  },
  {
    of: "decided",
    says: "startDemo resolves and never rejects: a second one is told that the first is open",
    see: 'await Svc.startDemo(); const second = await Svc.startDemo(); return second.opened === false && second.reason === "already_open";',
  },
  {
    of: "decided",
    says: "metadata over the limits is refused with a reason and a hint, and nothing opens",
    see: 'const result = await Svc.startDemo({ metadata: { big: "x".repeat(9000) } }); return result.reason === "metadata_too_large" && !dialog() && warnings.length === 1;',
  },
  {
    of: "decided",
    says: "metadata that JSON cannot hold is refused with a hint that names the key, and nothing opens",
    see: "const data = {}; data.self = data; const { opened } = await Svc.startDemo({ metadata: { data } }); return !opened && !dialog() && warnings.join().includes('\"data\" cannot be encoded');",
  },
  {
    of: "decided",
    says: "`metadata` wins over its alias `sessionData`",
    see: 'await Svc.startDemo({ sessionData: { a: "old" }, metadata: { a: "new" } }); await press("Start"); return (await until(() => sent.start)).metadata.a === "new";',
  },
  {
    of: "decided",
    says: "setMetadata replaces, and copies",
    see: 'Svc.setMetadata({ first: "1" }); const data = { second: "2" }; Svc.setMetadata(data); data.second = "changed"; await Svc.startDemo(); await press("Start"); const { metadata } = await until(() => sent.start); return metadata.first === undefined && metadata.second === "2";',
  },
  {
    of: "decided",
    says: "strings stay as they are, other values are JSON-encoded, undefined and functions are dropped",
    see: 'await Svc.startDemo({ metadata: { s: "", n: 5, o: { a: [1] }, z: null, u: undefined, f() {} } }); await press("Start"); return JSON.stringify((await until(() => sent.start)).metadata) === JSON.stringify({ s: "", n: "5", o: \'{"a":[1]}\', z: "null" });',
  },
  {
    of: "decided",
    says: "an unsupported explicit language goes through the same matcher",
    before: 'Object.defineProperty(navigator, "languages", { value: ["es"] });',
    see: 'await Svc.startDemo({ language: "de-CH" }); return dialog().lang === "de";',
  },
  {
    of: "decided",
    says: "getLanguages gives an empty list and a hint when the service cannot be reached",
    before: "window.refuse = true;",
    see: "const codes = await Svc.getLanguages(); return codes.length === 0 && warnings.length === 1;",
  },
  {
    of: "decided",
    says: "checkClient says service_unavailable when the service cannot be reached",
    before: "window.refuse = true;",
    see: 'return (await Svc.checkClient()).reason === "service_unavailable";',
  },
  {
    of: "decided",
    says: "checkClient says offline when the browser is",
    before: 'window.refuse = true; Object.defineProperty(navigator, "onLine", { value: false });',
    see: 'return (await Svc.checkClient()).reason === "offline";',
  },
  {
    of: "decided",
    says: "checkClient says microphone_blocked when the visitor has forbidden it and the agent has no text mode",
    before: `${FORBIDDEN} factsAre({ modes: ["voice"] });`,
    see: 'const { allowed, reason } = await Svc.checkClient(); return allowed === false && reason === "microphone_blocked";',
  },
  {
    of: "decided",
    says: "a forbidden microphone is no reason where the agent has a text mode",
    before: `${FORBIDDEN} factsAre({ modes: ["voice", "text"] });`,
    see: "const { allowed, reason } = await Svc.checkClient(); return allowed === true && reason === null;",
  },
  {
    of: "decided",
    says: "startDemo says why when the service cannot be reached, and recovers",
    before: "window.refuse = true;",
    see: 'const first = await Svc.startDemo(); window.refuse = false; const second = await Svc.startDemo(); return first.reason === "service_unavailable" && second.opened;',
  },
  {
    of: "decided",
    says: "events tell open, started with the session's id, ended and closed, in that order",
    see: 'const heard = []; for (const name of ["open", "started", "ended", "closed"]) Svc.on(name, (detail) => heard.push([name, detail])); await Svc.startDemo(); await press("Start"); await until(() => heard.length === 2); Svc.endDemo(); await press("Close"); await until(() => heard.length === 4); return heard.map(([name]) => name).join() === "open,started,ended,closed" && /^[0-9a-f-]{36}$/.test(heard[1][1].sessionId);',
  },
  {
    of: "decided",
    says: "off takes a listener away, and what a listener throws stops nothing",
    see: 'let calls = 0; const listener = () => { calls += 1; }; Svc.on("open", () => { throw new Error("the page\'s own"); }); Svc.on("open", listener); Svc.off("open", listener); const { opened } = await Svc.startDemo(); return opened && calls === 0;',
  },
  {
    of: "decided",
    says: "a start refused after opening shows why and fires unavailable",
    see: 'let reason; Svc.on("unavailable", (detail) => { reason = detail.reason; }); await Svc.startDemo(); window.pauseStarts = true; await press("Start"); await until(() => reason); return reason === "at_capacity" && dialog().textContent.includes("conversation right now");',
  },
  {
    of: "decided",
    says: "calls made before the SDK has loaded are answered, in order",
    load: "patient",
    see: 'return (await window.early).join() === "en,true" && (await window.readied) === undefined;',
    before: "window.early = null;",
  },
  {
    of: "decided",
    says: "a method that was taken before the SDK has loaded works afterwards",
    load: "patient",
    see: "const { opened } = await window.taken(); return opened === true && !!dialog();",
  },
  {
    of: "decided",
    says: "nothing is requested and nothing is stored before the visitor acts",
    see: 'await pause(300); return sent.all.length === 0 && localStorage.length === 0 && sessionStorage.length === 0 && document.cookie === "";',
  },
  {
    of: "decided",
    says: "an unaccepted notice leaves nothing but counters",
    see: 'await Svc.startDemo(); await press("Not now"); await until(() => !dialog()); await pause(100); return sent.start === undefined && sessionStorage.length === 0 && sent.events.map(({ event }) => event).join() === "opened,declined";',
  },
  {
    of: "decided",
    says: "one sessionStorage key while a call is live, and none afterwards",
    see: 'await Svc.startDemo(); await press("Start"); await until(() => sessionStorage.length === 1); Svc.endDemo(); await press("Close"); await until(() => !dialog()); return sessionStorage.length === 0 && localStorage.length === 0 && document.cookie === "";',
  },
  {
    of: "decided",
    says: "exactly one global is added",
    see: 'return added().join() === "Svc";',
  },
  {
    of: "decided",
    says: "nonsense never throws into the page",
    see: 'for (const junk of [undefined, null, 5, "x", [], () => {}, Symbol("x"), { get metadata() { throw new Error("no"); } }]) { Svc.setMetadata(junk); Svc.setSessionData(junk); Svc.trackButtonView(junk); Svc.on("open", junk); Svc.off("open", junk); Svc.on(junk, () => {}); await Svc.startDemo(junk).then(() => { Svc.endDemo(); }); await until(() => !dialog()); } return true;',
  },
];
