import type { AgentFacts } from "@svc/contract/types";
import { CALL_STYLE } from "./call-style.ts";
import { boxOf, comeFrom, fadeIn } from "./glide.ts";
import { element, kit } from "../kit.ts";

/** The dialog around every screen: above the page and modal, or small and docked beside it. */
export interface Frame {
  /** @param draw Called once the present screen is measured: it may take the face from it. */
  show(draw: () => HTMLElement, focus?: () => HTMLElement): void;
  /** While something is under way: the screen stays, but takes no second click. It can still be cancelled. */
  busy(label: string): void;
  /** For what was loaded after it. Once is enough. */
  addStyle(css: string): void;
  /** The language of everything in it. */
  speak(language: string): void;
  focus(): void;
  minimize(): void;
  restore(): void;
  readonly isMinimized: boolean;
  /** Stands above every screen. */
  ribbon: HTMLElement | undefined;
  /** Whoever draws the button for it. Without them it stays large. */
  onSize: (() => void) | undefined;
  close(): void;
}

export function createFrame(agent: AgentFacts, language: string, onClose: () => void): Frame {
  const root = kit.openShadow(CALL_STYLE);
  const host = root.host as HTMLElement;
  const dialog = element("dialog", {
    lang: language,
    dir: directionOf(language),
    "aria-label": `${agent.name} · ${agent.brand.name}`,
  });
  root.append(dialog);

  if (agent.theme) host.dataset["theme"] = agent.theme;
  const { primary, text } = agent.brand.colors ?? {};
  if (primary !== undefined) host.style.setProperty("--svc-accent", primary);
  if (text !== undefined) host.style.setProperty("--svc-on-accent", text);

  const page = document.documentElement;
  const cameFrom = document.activeElement;
  const overflow = page.style.overflow;
  let isMinimized = false;
  let isClosed = false;

  const face = (): Element | null => dialog.querySelector(".face > *");

  /** Surface and face grow and move from where they were. What stands on the surface fades in. */
  function change(act: () => void): void {
    const from = dialog.hasChildNodes() ? dialog : cameFrom;
    const surface = from === document.body ? undefined : boxOf(from);
    const oldFace = boxOf(face());
    act();
    comeFrom(dialog, surface, "::before");
    comeFrom(face(), oldFace, "all");
    fadeIn(dialog.lastElementChild);
  }

  /** Keeps the room of its scroll bar, without which everything on the page would move. */
  function lockPage(isLocked: boolean): void {
    const hasBar = isLocked && innerWidth > page.clientWidth;
    page.style.scrollbarGutter = hasBar ? "stable" : "";
    page.style.overflow = isLocked ? "hidden" : overflow;
  }

  function setSize(isSmall: boolean): void {
    change(() => {
      isMinimized = isSmall;
      lockPage(!isSmall);
      dialog.close();
      dialog.classList.toggle("docked", isSmall);
      // Unlike `show`, it leaves the focus where it is.
      if (isSmall) dialog.open = true;
      else dialog.showModal();
      frame.onSize?.();
    });
  }
  const openLarge = (): void => setSize(false);
  const minimize = (): void => setSize(true);

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    dialog.close();
    host.remove();
    lockPage(false);
    if (cameFrom instanceof HTMLElement && cameFrom.isConnected) cameFrom.focus();
    onClose();
  }

  // Escape makes a conversation small rather than losing it; before there is one, it closes.
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    if (!dialog.querySelector("[data-talk]")) close();
    else if (frame.onSize) minimize();
  });

  const frame: Frame = {
    ribbon: undefined,
    onSize: undefined,
    addStyle: (css) => kit.addStyle(root, css),
    show(draw, focus) {
      change(() => dialog.replaceChildren(...(frame.ribbon ? [frame.ribbon] : []), draw()));
      if (isMinimized) return;
      (focus?.() ?? dialog.querySelector<HTMLElement>("[data-focus]") ?? dialog).focus();
    },
    busy(label) {
      for (const control of dialog.querySelectorAll<HTMLButtonElement>("button:not(.plain),select"))
        control.disabled = true;
      const status = dialog.querySelector("[role=status]");
      if (status !== null) status.textContent = label;
    },
    speak(code) {
      dialog.lang = code;
      dialog.dir = directionOf(code);
    },
    focus: () => {
      if (isMinimized) openLarge();
      dialog.focus();
    },
    minimize,
    restore: openLarge,
    get isMinimized() {
      return isMinimized;
    },
    close,
  };
  document.body.append(host);
  openLarge();
  return frame;
}

/** Of the text, whatever the page's own is: by the script that the language is usually written in. */
function directionOf(language: string): "ltr" | "rtl" {
  const { script = "" } = new Intl.Locale(language).maximize();
  return /Adlm|Arab|Hebr|Nkoo|Rohg|Syrc|Thaa/.test(script) ? "rtl" : "ltr";
}
