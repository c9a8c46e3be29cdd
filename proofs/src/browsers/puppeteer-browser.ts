import puppeteer from "puppeteer-core";
import type { Browser as PuppeteerBrowser, CDPSession } from "puppeteer-core";
import type { Browser, Engine, Page, PageOptions } from "./browser.ts";

export async function openChromium(): Promise<Browser> {
  const browser = await puppeteer.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return wrap("chromium", browser);
}

export async function openFirefox(): Promise<Browser> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: "/usr/bin/firefox-esr",
    headless: true,
  });
  return wrap("firefox", browser);
}

async function wrap(engine: Engine, browser: PuppeteerBrowser): Promise<Browser> {
  return {
    engine,
    version: await browser.version(),
    newPage: (options) => newPage(browser, options),
    close: () => browser.close(),
  };
}

async function newPage(browser: PuppeteerBrowser, options: PageOptions = {}): Promise<Page> {
  const page = await browser.newPage();
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
  let session: CDPSession | undefined;
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => said.push(`error: ${String(error)}`));
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    run: (body, ...args) =>
      page.evaluate(
        // eslint-disable-next-line typescript/no-implied-eval
        new Function("args", `const [a, b, c] = args; ${body}`) as (args: unknown[]) => never,
        args,
      ),
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
      session ??= await page.createCDPSession();
      return session.send(method as "Page.enable", params) as Promise<T>;
    },
    said: () => said,
    close: () => page.close(),
  };
}
