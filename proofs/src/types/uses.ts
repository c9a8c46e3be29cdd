/** Pieces of a customer's program. Each is tried by reference and by import. */
export interface Use {
  name: string;
  code: string;
}

/** What the documentation shows: must be accepted. */
export const RIGHT: Use[] = [
  {
    name: "configuration",
    code: 'window.SvcConfig = { agentId: "agent_x", recordingNotice: "Hello" };',
  },
  { name: "the earlier configuration", code: 'window.SvcConfig = { clientId: "client_x" };' },
  {
    name: "start with everything",
    code: 'const result = Svc.startDemo({ metadata: { plan: "pro", seats: 5, email: "a@b.c" }, language: "de" }); result.then((r) => { if (!r.opened) { const reason: string = r.reason; void reason; } });',
  },
  { name: "start with nothing", code: "void Svc.startDemo();" },
  {
    name: "session data",
    code: 'const data: SessionData = { plan: "x", tags: ["a"] }; Svc.setMetadata(data); Svc.setSessionData(data); void Svc.startDemo({ sessionData: data });',
  },
  {
    name: "an object of the page's own type",
    code: 'interface Visitor { name: string; email?: string } const visitor: Visitor = { name: "Dana" }; Svc.setMetadata(visitor); Svc.setSessionData(visitor); void Svc.startDemo({ metadata: visitor });',
  },
  {
    name: "languages",
    code: "Svc.getLanguages().then((codes) => codes.map((code) => code.toUpperCase()));",
  },
  {
    name: "eligibility",
    code: 'Svc.checkClient().then(({ allowed, reason }) => { if (!allowed && reason === "at_capacity") return; const none: null | string = reason; void none; });',
  },
  {
    name: "button",
    code: 'const button = document.querySelector("button"); if (button) Svc.trackButtonView(button);',
  },
  {
    name: "events",
    code: 'const heard = (detail: { sessionId: string }) => void detail.sessionId; Svc.on("started", heard); Svc.off("started", heard); Svc.on("email", ({ email }) => email.trim());',
  },
  {
    name: "the rest",
    code: "Svc.endDemo(); const v: string = Svc.version; Svc.ready.then(() => v);",
  },
  {
    name: "the widget",
    code: 'Svc.widget.configure({ position: "top-center", ctaText: "Ask", primaryColor: "#123456", textColor: "white", collectData: { dataKey: "email", validator: (value) => value.includes("@") || "No." } }); Svc.widget.show(); Svc.widget.expand(); Svc.widget.collapse(); Svc.widget.hide();',
  },
  {
    name: "the hero",
    code: 'Svc.hero.mount(document.body, { width: 100, height: 100, ctaText: "Go", collectData: { dataKey: "team", validator: async () => true } }); Svc.hero.mount(document.body); Svc.hero.unmount();',
  },
  { name: "as a value", code: "const svc: SvcSDK = window.Svc; void svc.startDemo();" },
];

/** Mistakes: must be refused. */
export const WRONG: Use[] = [
  { name: "a number for a language", code: "void Svc.startDemo({ language: 5 });" },
  { name: "an unknown option", code: "void Svc.startDemo({ lang: 'de' });" },
  { name: "text for metadata", code: 'Svc.setMetadata("plan");' },
  { name: "a number for an address", code: "Svc.setMetadata({ email: 5 });" },
  { name: "a selector for an element", code: 'Svc.trackButtonView("#start");' },
  { name: "an unknown event", code: 'Svc.on("finished", () => {});' },
  { name: "an unknown detail", code: 'Svc.on("started", ({ id }) => void id);' },
  {
    name: "an unknown reason",
    code: 'Svc.checkClient().then(({ reason }) => reason === "bored");',
  },
  { name: "writing the version", code: 'Svc.version = "2";' },
  { name: "an unknown position", code: 'Svc.widget.configure({ position: "middle" });' },
  { name: "a form without a key", code: "Svc.widget.configure({ collectData: {} });" },
  { name: "a width in words", code: 'Svc.hero.mount(document.body, { width: "wide" });' },
  { name: "an unknown member", code: "Svc.stopDemo();" },
  { name: "languages without waiting", code: "const codes: string[] = Svc.getLanguages();" },
  {
    name: "a type of the page's own with a number for an address",
    code: "interface Visitor { email: number } const visitor: Visitor = { email: 5 }; Svc.setMetadata(visitor);",
  },
  { name: "a configuration without an agent", code: "window.SvcConfig = {};" },
  { name: "a notice without an agent", code: 'window.SvcConfig = { recordingNotice: "Hello" };' },
  { name: "a number for the agent", code: "window.SvcConfig = { agentId: 5 };" },
];
