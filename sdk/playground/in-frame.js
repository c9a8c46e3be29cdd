/**
 * Runs in the preview, before the code that is shown. It tries out what otherwise an agent's file or a
 * busy day decides, by changing what the service answers to this one page, and tells the playground
 * what happens.
 */
(() => {
  const { facts, refusal, languages, opens } = window.playground;
  const tell = (what, detail) => parent.postMessage({ playground: { what, detail } }, origin);

  // Each preview begins as for a new visitor.
  try {
    localStorage.removeItem("svc-widget");
    sessionStorage.removeItem("svc-call");
  } catch {
    // Storage is blocked: then nothing is remembered anyway.
  }
  if (languages !== undefined) {
    Object.defineProperty(navigator, "languages", { value: languages });
    Object.defineProperty(navigator, "language", { value: languages[0] });
  }

  const ask = window.fetch;
  window.fetch = async (input, init) => {
    const { pathname } = new URL(input, document.baseURI);
    const isStart = pathname.endsWith("/sdk/v1/sessions");
    if (isStart) tell("sent", { metadata: JSON.parse(init.body).metadata });
    if (refusal !== "" && isStart) {
      return Response.json({ error: { code: refusal, message: "Tried out." } }, { status: 403 });
    }
    if (refusal !== "" && pathname.endsWith("/eligibility")) {
      return Response.json({ allowed: false, reason: refusal });
    }
    const response = await (window.playground.answer?.(pathname) ?? ask(input, init));
    if (!response.ok || !/\/sdk\/v1\/agents\/[^/]+$/.test(pathname)) return response;
    const told = await response.json();
    const brand = { ...told.brand, colors: { ...told.brand.colors, ...facts.colors } };
    return Response.json({ ...told, brand, ...(facts.avatar && { avatar: facts.avatar }) });
  };

  const warn = console.warn;
  console.warn = (...words) => {
    if (String(words[0]).startsWith("[Svc]")) tell("hint", words.join(" ").slice(6));
    warn(...words);
  };
  addEventListener("error", ({ message }) => message && tell("error", message));
  addEventListener("unhandledrejection", ({ reason }) => tell("error", String(reason)));

  addEventListener("load", () => {
    tell("loaded");
    if (window.Svc?.version === undefined) return tell("missing");
    for (const name of ["open", "started", "email", "ended", "closed", "unavailable"]) {
      Svc.on(name, (detail) => tell(name, detail));
    }
    if (opens !== undefined) open();
  });

  /** Without a click: the first screen, or the talk behind it by the last choice there, which is typing. */
  function open() {
    Svc.on("open", () => {
      if (opens === "notice") return;
      const roots = [...document.body.children].map(({ shadowRoot }) => shadowRoot);
      const dialog = roots.map((root) => root?.querySelector("dialog")).find(Boolean);
      dialog?.querySelector(".choice button:last-child")?.click();
    });
    void Svc.startDemo();
  }
})();
