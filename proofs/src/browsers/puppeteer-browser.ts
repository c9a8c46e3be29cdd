import puppeteer from "puppeteer-core";
import type { Browser as PuppeteerBrowser, CDPSession } from "puppeteer-core";
import type { Browser, BrowserOptions, Engine, Page, PageOptions } from "./browser.ts";
import { callInPage } from "./call-in-page.ts";
import { openSoundCard, soundFirst } from "./sound-card.ts";

/** A busy machine starts a browser late. */
const STARTS_WITHIN_MS = 120_000;

export async function openChromium(options: BrowserOptions): Promise<Browser> {
  const { microphone, soundCard, switches = [], program } = options;
  const browser = await puppeteer.launch({
    executablePath: program ?? "/usr/bin/chromium",
    // It may be in another network, where no port of it can be reached.
    pipe: program !== undefined,
    timeout: STARTS_WITHIN_MS,
    ...(soundCard && {
      env: { ...process.env, ...soundCard.environment },
      ignoreDefaultArgs: ["--mute-audio"],
    }),
    args: [
      "--no-sandbox",
      // Without a GPU it says on the console that software draws.
      "--enable-unsafe-swiftshader",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(microphone === undefined ? [] : withMicrophone(microphone)),
      ...(soundCard === undefined ? [] : ["--use-fake-ui-for-media-stream"]),
      ...switches,
    ],
  });
  if (soundCard !== undefined) soundFirst(browser.process()!.pid!);
  return wrap("chromium", browser);
}

function withMicrophone(wav: string): string[] {
  return [
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    `--use-file-for-fake-audio-capture=${wav}%noloop`,
    "--autoplay-policy=no-user-gesture-required",
  ];
}

export async function openFirefox({ microphone, soundCard }: BrowserOptions): Promise<Browser> {
  // Without a sound card it plays nothing, and waits for one without end.
  const own = microphone === undefined ? undefined : await openSoundCard();
  const card = soundCard ?? own;
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: "/usr/bin/firefox-esr",
    timeout: STARTS_WITHIN_MS,
    headless: true,
    ...(card && {
      env: { ...process.env, ...card.environment },
      extraPrefsFirefox: {
        "media.navigator.streams.fake": own !== undefined,
        "media.navigator.permission.disabled": true,
        "media.autoplay.default": 0,
      },
    }),
  });
  if (soundCard !== undefined) soundFirst(browser.process()!.pid!);
  return wrap("firefox", browser, () => own?.close());
}

async function wrap(
  engine: Engine,
  browser: PuppeteerBrowser,
  afterwards: () => unknown = () => {},
): Promise<Browser> {
  return {
    engine,
    version: await browser.version(),
    pid: browser.process()!.pid!,
    newPage: (options) => newPage(browser, options),
    close: async () => {
      await browser.close();
      await afterwards();
    },
  };
}

async function newPage(browser: PuppeteerBrowser, options: PageOptions = {}): Promise<Page> {
  const page = await browser.newPage({ type: options.ownWindow ? "window" : "tab" });
  await page.setViewport({
    width: options.width ?? 1280,
    height: options.height ?? 800,
    deviceScaleFactor: options.scale ?? 1,
  });
  const features = [
    ...(options.dark ? [{ name: "prefers-color-scheme", value: "dark" }] : []),
    ...(options.reducedMotion ? [{ name: "prefers-reduced-motion", value: "reduce" }] : []),
    ...(options.forcedColors ? [{ name: "forced-colors", value: "active" }] : []),
  ];
  if (features.length > 0) {
    const media = await page.createCDPSession();
    await media.send("Emulation.setEmulatedMedia", { features });
  }
  const said: string[] = [];
  let session: Promise<CDPSession> | undefined;
  const devtools = (): Promise<CDPSession> => (session ??= page.createCDPSession());
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => said.push(`error: ${String(error)}`));
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    run: (code: string | (() => unknown), ...args: unknown[]) =>
      page.evaluate(callInPage(code, args)) as Promise<never>,
    clickAt: (x, y) => page.mouse.click(x, y),
    async press(key) {
      if (key === "Shift+Tab") {
        await page.keyboard.down("Shift");
        await page.keyboard.press("Tab");
        await page.keyboard.up("Shift");
      } else await page.keyboard.press(key);
    },
    type: (text) => page.keyboard.type(text),
    screenshot: async (part) => Buffer.from(await page.screenshot(part && { clip: part })),
    async devtools<T>(method: string, params: object = {}) {
      return (await devtools()).send(method as "Page.enable", params) as Promise<T>;
    },
    async onDevtools<T>(event: string, take: (detail: T) => void) {
      (await devtools()).on(event, (detail) => take(detail as T));
    },
    said: () => said,
    close: () => page.close(),
  };
}
