import type { AgentPlace } from "@svc/contract/types";
import { rolldown } from "rolldown";
import type { HostilePage } from "./hostile-pages.ts";
import { strictPolicy } from "./hostile-pages.ts";

/** A small product of a customer's, as it may be built, and its places. */
export interface App extends HostilePage {
  places: Record<string, AgentPlace>;
  /** Its pages beside the first. */
  pages?: string[];
  /** Scripts that are built for it, by their path. */
  scripts?: () => Promise<Record<string, string>>;
}

const FILLER = '<p style="height:700px">Text of the product.</p>';
const BOX = "width:300px;height:120px;border-radius:12px;background:#dde";

/** Some screens of text with a box in each, and one that scrolls by itself. */
function boxes(name: string): string {
  const box = (at: number): string => `<div id="${name}-${at}" style="${BOX}">Box ${at}</div>`;
  return `${box(1)}${FILLER}${box(2)}<div style="height:220px;overflow:auto">${FILLER}${box(3)}${FILLER}</div>${FILLER}${box(4)}`;
}

function placesOf(
  name: string,
  selector = (at: number): string => `#${name}-${at}`,
): Record<string, AgentPlace> {
  return Object.fromEntries(
    [1, 2, 3, 4].map((at) => [
      `${name}_${at}`,
      { selector: selector(at), caption: `The box ${name} ${at}` },
    ]),
  );
}

export const APPS: App[] = [
  { name: "server-rendered", body: boxes("plain"), places: placesOf("plain") },
  {
    name: "by React, which makes its elements anew all the time",
    body: '<div id="root"></div><script src="/app.js" defer></script>',
    places: placesOf("drawn"),
    scripts: async () => ({ "/app.js": await bundle(REACT_APP) }),
  },
  {
    name: "in shadow roots",
    body: "<x-shop></x-shop>",
    places: placesOf("shade", (at) => `x-shop >>> x-part >>> #shade-${at}`),
    head: `<script nonce="n">const shade = (name, html) => customElements.define(name, class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = html; } }); shade("x-part", ${JSON.stringify(boxes("shade"))}); shade("x-shop", "<x-part></x-part>");</script>`,
  },
  {
    name: "late, below a header that sticks",
    body: '<header style="position:sticky;top:0;height:90px;background:#fff;z-index:9">Menu</header><div id="ads"></div><div id="late"></div>',
    places: placesOf("late"),
    head: `<script nonce="n">addEventListener("load", () => { setTimeout(() => { document.getElementById("late").innerHTML = ${JSON.stringify(boxes("late"))}; }, 1500); let ads = 0; setInterval(() => { document.getElementById("ads").style.height = (ads = Math.min(ads + 20, 600)) + "px"; }, 500); });</script>`,
  },
  {
    name: "with a strict policy",
    // Its own styles are not allowed either.
    body: boxes("strict")
      .replaceAll(/ style="[^"]*"/g, " class=own")
      .replaceAll("<p", "<pre")
      .replaceAll("Text of the product.", "Text.\n".repeat(40)),
    places: placesOf("strict"),
    headers: (sdkUrl) => ({ "content-security-policy": strictPolicy(sdkUrl) }),
  },
  {
    name: "in two languages",
    body: boxes("two"),
    pages: ["/en", "/de"],
    places: Object.fromEntries(
      Object.entries(placesOf("two")).map(([id, place], index) => [
        id,
        {
          ...place,
          path: "/en",
          confirm: false,
          languages: { de: { path: "/de", caption: `Der Kasten two ${index + 1}` } },
        },
      ]),
    ),
  },
];

/** Another key makes another element, as where a list is fetched again. */
const REACT_APP = `
import { createElement as make, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
const style = { width: 300, height: 120, borderRadius: 12, background: "#dde" };
function App() {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setRound((last) => last + 1), 400);
    return () => clearInterval(timer);
  }, []);
  const box = (at) => make("div", { key: at + " " + round, id: "drawn-" + at, style }, "Box " + at);
  const text = make("p", { style: { height: 700 } }, "Text of the product, drawn " + round + " times.");
  const scrolls = make("div", { style: { height: 220, overflow: "auto" } }, text, box(3), text);
  return make("main", null, box(1), text, box(2), scrolls, text, box(4));
}
createRoot(document.getElementById("root")).render(make(App));
`;

async function bundle(source: string): Promise<string> {
  const build = await rolldown({
    input: "app.js",
    cwd: import.meta.dirname,
    platform: "browser",
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    plugins: [
      {
        name: "source",
        resolveId: (id) => (id === "app.js" ? `${import.meta.dirname}/app.js` : null),
        load: (id) => (id.endsWith("/pages/app.js") ? source : null),
      },
    ],
  });
  const { output } = await build.generate({ format: "iife", minify: true });
  await build.close();
  return output[0].code;
}
