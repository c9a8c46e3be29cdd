/** Pages of three kinds that a widget or a hero may find itself on. */
export const PAGES: Record<string, string> = {
  plain: `<main style="font:16px/1.5 Georgia,serif;max-width:640px;margin:40px auto"><h1>A plain page</h1><p>${"Some words about nothing. ".repeat(12)}</p><div id="place" style="height:320px"></div></main>`,
  bank: `<style>body{margin:0;font:15px/1.6 Arial,sans-serif;color:#1b2a3a;background:#f4f6f8}header{background:#0b2a4a;color:#fff;padding:18px 40px;font-size:20px}section{background:#fff;margin:32px auto;max-width:880px;padding:32px;border:1px solid #d8dee6}button{background:#0b2a4a;color:#fff;border-radius:0;text-transform:uppercase;letter-spacing:1px}</style><header>First Harbour Bank</header><section><h1>Business accounts</h1><p>${"Clear terms and steady service. ".repeat(8)}</p><div id="place" style="height:300px"></div></section>`,
  marketing: `<style>body{margin:0;font:18px/1.4 system-ui;color:#fff;background:linear-gradient(135deg,#2b1055,#ff5f6d 60%,#ffc371);min-height:100vh}h1{font-size:64px;margin:0}main{padding:60px;display:grid;grid-template-columns:1fr 1fr;gap:40px}*{box-sizing:content-box}</style><main><div><h1>Grow faster</h1><p>${"More of everything, sooner. ".repeat(10)}</p></div><div id="place" style="height:380px"></div></main>`,
};

/** What is shown on them. */
export const ENTRIES: [name: string, open: string][] = [
  ...[
    "top-left",
    "top-right",
    "bottom-left",
    "bottom-right",
    "top-center",
    "bottom-center",
    "left-center",
    "right-center",
  ].map((position): [string, string] => [
    `widget-${position}`,
    `Svc.widget.configure({ position: "${position}" }); Svc.widget.show();`,
  ]),
  ["widget-collapsed", "Svc.widget.show(); Svc.widget.collapse();"],
  [
    "widget-form",
    'Svc.widget.configure({ collectData: { dataKey: "email" } }); Svc.widget.show();',
  ],
  [
    "widget-error",
    'Svc.widget.configure({ primaryColor: "#0b2a4a", collectData: { dataKey: "email" } }); Svc.widget.show(); const { shadowRoot } = [...document.body.children].find((one) => one.shadowRoot); shadowRoot.querySelector("form").requestSubmit(); while (shadowRoot.querySelector(".error").textContent === "") await new Promise((resume) => setTimeout(resume, 10));',
  ],
  ["hero", 'Svc.hero.mount(document.getElementById("place"));'],
  ["hero-200", 'Svc.hero.mount(document.getElementById("place"), { width: 200, height: 200 });'],
  [
    "hero-form",
    'Svc.hero.mount(document.getElementById("place"), { width: 160, height: 160, collectData: { dataKey: "email", formTitle: "See it live" } });',
  ],
];
