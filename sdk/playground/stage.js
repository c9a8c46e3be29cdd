import { element } from "./element.js";
import { previewDocument } from "./preview-document.js";

/** A narrower place shows a page of this width smaller, so that a desktop looks like one. */
const DESKTOP_PX = 800;
/** As in playground.css: below it everything is a phone. */
const PHONE_PX = 760;

/** Where the shown code runs, in a page of its own. */
export class Stage {
  #place;

  /** @param onTold what the preview says of itself */
  constructor(place, onTold) {
    this.#place = place;
    addEventListener("message", ({ source, data }) => {
      const told = data?.playground;
      if (told === undefined || source === null) return;
      const frame = [...place.children].find(({ contentWindow }) => contentWindow === source);
      if (frame === undefined) return;
      if (told.what === "loaded") this.#take(frame);
      onTold(told);
    });
    new ResizeObserver(() => this.fit()).observe(place);
  }

  /** A phone is shown as large as it is. */
  fit() {
    const isDesktop = this.#place.dataset.size === "desktop" && innerWidth > PHONE_PX;
    const scale = isDesktop ? Math.min(1, this.#place.clientWidth / DESKTOP_PX) : 1;
    this.#place.style.setProperty("--scale", scale);
  }

  /** The one before stays in sight until this one is there: a colour is dragged without a flicker. */
  show(code, around) {
    for (const other of this.#place.querySelectorAll(":scope > :not(.shown)")) other.remove();
    const frame = element("iframe", {
      title: "Preview",
      allow: "microphone; autoplay; clipboard-write",
      srcdoc: previewDocument(code, around),
    });
    this.#place.append(frame);
  }

  #take(frame) {
    for (const other of this.#place.querySelectorAll(".shown")) other.remove();
    frame.classList.add("shown");
  }
}
