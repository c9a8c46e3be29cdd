import { element } from "./element.js";

const WORDS = {
  sent: "asked for a session",
  hint: "the SDK's hint",
  error: "the page's error",
};

/** What the preview has told, newest last. */
export class Log {
  #place;
  #api;

  constructor(place, { api }) {
    this.#place = place;
    this.#api = api;
    this.clear();
  }

  clear() {
    this.#place.replaceChildren(
      element("p", { className: "empty" }, "What happens in the preview is written here."),
    );
  }

  add({ what, detail }) {
    if (what === "loaded") return;
    if (what === "missing") {
      return this.#write("error", "no SDK", `${this.#api}/sdk/sdk.js could not be loaded.`);
    }
    const text = typeof detail === "string" ? detail : JSON.stringify(detail);
    this.#write(what, WORDS[what] ?? what, text === "{}" ? "" : text);
  }

  failed(error) {
    this.#write("error", "the stand-ins do not answer", String(error));
  }

  #write(kind, title, text) {
    this.#place.querySelector(".empty")?.remove();
    const at = new Date().toLocaleTimeString([], { hour12: false });
    this.#place.append(
      element(
        "p",
        { "data-kind": kind },
        element("time", {}, at),
        element("b", {}, title),
        element("span", {}, text ?? ""),
      ),
    );
    this.#place.scrollTop = this.#place.scrollHeight;
  }
}
