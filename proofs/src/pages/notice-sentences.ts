import type { SdkPage, Sentences } from "./see-sentences.ts";

/** Runs in the page, before the SDK: starts and ends a demo for each value of recordingNotice. */
function tryNotices({ dialog, until, press, sent }: SdkPage): void {
  window.tryNotices = async (values, isShownAsItIs) => {
    for (const value of values) {
      window.SvcConfig!.recordingNotice = value as string;
      sent.start = undefined;
      const what = JSON.stringify(value).slice(0, 40);
      const { opened } = await Svc.startDemo({ language: "en" });
      const shown = dialog()?.querySelector("#notice");
      const text = shown?.textContent ?? "";
      if (!opened || !(shown!.getBoundingClientRect().height > 15))
        return `no visible notice with ${what}`;
      if (isShownAsItIs ? text !== value : !text.startsWith("You talk with an AI"))
        return `${what} is shown as ${text.slice(0, 40)}`;
      const link = shown!.nextElementSibling?.firstElementChild;
      const isLink = link instanceof HTMLAnchorElement && link.href.includes("/who-hears-you/");
      if (!isLink || !(link.getBoundingClientRect().height >= 24))
        return `nobody learns who hears them with ${what}`;
      await press("Start");
      const button = '[aria-label="About this call"]';
      (await until(() => dialog()?.querySelector<HTMLElement>(button))).click();
      const about = dialog()!.querySelector("dialog")!;
      const isThere = about.querySelector("a")?.href === link.href;
      if (!about.matches(":modal") || !about.textContent.includes(text) || !isThere)
        return `${what} cannot be read during the call`;
      about.querySelector("button")!.click();
      await until(() => !about.isConnected);
      await until(() => sent.start);
      Svc.endDemo();
      await press("Close");
      await until(() => !dialog());
    }
    return true;
  };
}

declare global {
  interface Window {
    tryNotices(values: unknown[], isShownAsItIs: boolean): Promise<true | string>;
  }
}

/** Every type of JSON and many lengths as recordingNotice. */
export const NOTICE_SENTENCES: Sentences = {
  "a text of 1 to 4,000 characters is the notice, before and during the call": {
    before: tryNotices,
    see: async ({ warnings }) => {
      const texts = [1, 2, 40, 500, 3_999, 4_000].map((length) => "a".repeat(length));
      const outcome = await window.tryNotices(texts, true);
      return warnings.length === 0 ? outcome : warnings.join();
    },
    broken: () => {
      const start = Svc.startDemo;
      Svc.startDemo = async (config) => {
        const result = await start(config);
        const roots = [...document.body.children].map(({ shadowRoot }) => shadowRoot);
        for (const root of roots) root?.querySelector("#notice")?.remove();
        return result;
      };
    },
  },
  "in any script, with line breaks and signs of markup": {
    before: tryNotices,
    see: () =>
      window.tryNotices(
        [" Rand ", "録音されます", "هذه المكالمة مسجلة", "two\nlines", "<b>&amp;</b>"],
        true,
      ),
    broken: () => {
      const start = Svc.startDemo;
      Svc.startDemo = async (config) => {
        const result = await start(config);
        const roots = [...document.body.children].map(({ shadowRoot }) => shadowRoot);
        for (const root of roots) root?.querySelector("#notice + p a")?.remove();
        return result;
      };
    },
  },
  "one that is blank or too long is left out with one hint, and the agent's own is shown": {
    before: tryNotices,
    see: async ({ warnings }) => {
      const blank = ["", " ", "\n\t ", "\u200b\u00a0", "\u0000"];
      const long = [4_001, 5_000, 100_000].map((length) => "a".repeat(length));
      const outcome = await window.tryNotices([...blank, ...long], false);
      return warnings.length === 1 ? outcome : `${warnings.length} hints`;
    },
    broken: () => {
      const start = Svc.startDemo;
      Svc.startDemo = (config) => {
        window.SvcConfig!.recordingNotice = "Ours";
        return start(config);
      };
    },
  },
  "so is every number": {
    before: tryNotices,
    see: async ({ warnings }) => {
      const outcome = await window.tryNotices([0, 5, -1.5, 1e300], false);
      return warnings.length === 1 ? outcome : `${warnings.length} hints`;
    },
  },
  "so is every other type of JSON": {
    before: tryNotices,
    see: async ({ warnings }) => {
      const others = [null, true, false, [], ["Text"], {}, { text: "Text" }];
      const outcome = await window.tryNotices(others, false);
      return warnings.length === 1 ? outcome : `${warnings.length} hints`;
    },
  },
};
