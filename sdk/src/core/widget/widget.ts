import { element, iconButton, openShadow } from "../element.ts";
import { drawFace } from "../face.ts";
import type { Entry } from "../hero/hero.ts";
import { hint } from "../events.ts";
import { whenSeen } from "../track-button-view.ts";
import { pageWords, setColors, wayIn } from "../way-in.ts";
import { WIDGET_STYLE } from "./widget-style.ts";

const POSITION = /^((top|bottom)-(left|right|center)|(left|right)-center)$/;
const CHEVRON = "M5 8l5 5 5-5";

/** The floating widget: a card, or a small round face while it is collapsed. */
export function createWidget({ start, loadForm, prepare, dress }: Entry): SvcSDK["widget"] {
  let config: SvcWidgetConfig = {};
  let host: HTMLElement | undefined;
  let root: ShadowRoot | undefined;
  /** Contains the face, or the agent's own picture in its place. */
  let face: HTMLElement;
  /** Undefined until it is shown, expanded or collapsed for the first time. */
  let isExpanded: boolean | undefined;

  function draw(takeFocus: boolean): void {
    const words = pageWords();
    const { ctaText = "Talk to an agent", collectData } = config;
    const card = (): HTMLElement =>
      element(
        "section",
        {
          className: "card",
          "aria-label": ctaText,
          onkeydown: ({ key }) => {
            if (key === "Escape") choose(false);
          },
        },
        element(
          "div",
          { className: "head" },
          face,
          element("p", {}, words.about),
          iconButton(words.collapse, CHEVRON, () => choose(false)),
        ),
        wayIn({ collectData, ctaText, formTitle: "Start your demo", prefix: "", loadForm, start }),
      );
    const pill = (): HTMLElement =>
      element(
        "button",
        {
          className: "pill",
          type: "button",
          title: ctaText,
          "aria-label": ctaText,
          onclick: () => choose(true),
        },
        face,
        element("span", { className: "dot" }),
      );
    const box = element(
      "div",
      { className: "box", onpointerenter: prepare },
      isExpanded ? card() : pill(),
    );
    box.addEventListener("focusin", prepare, { once: true });
    root!.replaceChildren(box);
    if (takeFocus) root!.querySelector<HTMLElement>(".input, .cta, .pill")?.focus();
  }

  /** Only what the visitor chose is remembered: a page that always collapses would take the choice away from them. */
  function choose(expanded: boolean): void {
    rememberCollapse(!expanded);
    setExpanded(expanded, true);
  }

  function setExpanded(expanded: boolean, takeFocus: boolean): void {
    isExpanded = expanded;
    if (host !== undefined) draw(takeFocus);
  }

  function show(): void {
    isExpanded ??= !recallCollapse();
    if (host === undefined) {
      const silhouette = drawFace("");
      face = element("span", { className: "face" }, silhouette);
      whenSeen(silhouette, () =>
        dress(silhouette).then((theme) => {
          if (theme) host!.dataset["theme"] = theme;
        }),
      );
      root = openShadow(WIDGET_STYLE);
      host = root.host as HTMLElement;
    }
    let { position = "bottom-right" } = config;
    if (!POSITION.test(position)) {
      hint(`"${position}" is no position.`);
      position = "bottom-right";
    }
    host.className = position.replace("-", " ");
    setColors(host, config);
    draw(false);
    // It was hidden, or the page has replaced its body.
    if (!host.isConnected) document.body.append(host);
  }

  return {
    configure(given) {
      config = { ...given };
    },
    show,
    hide: () => host?.remove(),
    expand: () => setExpanded(true, false),
    collapse: () => setExpanded(false, false),
  };
}

const KEY = "svc-widget";

/** A widget that the visitor collapsed stays collapsed on later pages until they expand it. */
function recallCollapse(): boolean {
  try {
    return localStorage.getItem(KEY) === "collapsed";
  } catch {
    return false; // Storage is blocked.
  }
}

/** Uses one key, and only until the visitor expands the widget again. */
function rememberCollapse(isCollapsed: boolean): void {
  try {
    if (isCollapsed) localStorage.setItem(KEY, "collapsed");
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked: the state is lost with the page.
  }
}
