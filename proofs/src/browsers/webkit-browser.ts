import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@svc/tools/free-port";
import type { Browser, BrowserOptions, Page, PageOptions } from "./browser.ts";
import { callInPage } from "./call-in-page.ts";
import { openSoundCard } from "./sound-card.ts";

const MINI_BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";
const KEYS = { Enter: "\uE007", Tab: "\uE004", Escape: "\uE00C", Shift: "\uE008", Space: " " };

/** WebKitGTK over plain WebDriver, on a screen of its own. */
export async function openWebkit({ microphone }: BrowserOptions): Promise<Browser> {
  const { screen, display } = await openScreen();
  const card = microphone === undefined ? undefined : await openSoundCard();
  const args = ["--automation", ...(card ? ["--enable-mock-capture-devices=TRUE"] : [])];
  const port = await freePort();
  const driver = spawn("WebKitWebDriver", ["--host=127.0.0.1", `--port=${port}`], {
    stdio: "ignore",
    env: { ...process.env, ...card?.environment, DISPLAY: display },
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await isUp(url)); tries++) {
    if (tries > 100) throw new Error("WebKitWebDriver does not answer");
    await delay(100);
  }
  let version = "WebKitGTK";
  return {
    engine: "webkit",
    get version() {
      return version;
    },
    async newPage(options) {
      const started = await call<{ sessionId: string; capabilities: { browserVersion: string } }>(
        "POST",
        `${url}/session`,
        {
          capabilities: {
            alwaysMatch: {
              "webkitgtk:browserOptions": { binary: MINI_BROWSER, args },
            },
          },
        },
      );
      version = `WebKitGTK ${started.capabilities.browserVersion}`;
      return newPage(`${url}/session/${started.sessionId}`, options);
    },
    async close() {
      await end(driver);
      await end(screen);
      await card?.close();
    },
  };
}

async function newPage(session: string, options: PageOptions = {}): Promise<Page> {
  await call("POST", `${session}/window/rect`, {
    width: options.width ?? 1280,
    height: options.height ?? 900,
  }).catch(() => undefined);
  const actions = (type: "pointer" | "key", steps: object[]): Promise<unknown> =>
    call("POST", `${session}/actions`, {
      actions: [
        {
          type,
          id: type,
          ...(type === "pointer" && { parameters: { pointerType: "mouse" } }),
          actions: steps,
        },
      ],
    });
  const stroke = (value: string): object[] => [
    { type: "keyDown", value },
    { type: "keyUp", value },
  ];
  return {
    goto: async (url) => void (await call("POST", `${session}/url`, { url })),
    reload: async () => void (await call("POST", `${session}/refresh`, {})),
    async run(code: string | (() => unknown), ...args: unknown[]) {
      // As text: on a page with a patched Object.prototype the driver cannot hand objects over.
      const answer = await call<string>("POST", `${session}/execute/async`, {
        script: `const done = arguments[0];
          (async () => ${callInPage(code, args)})().then((value) => done(JSON.stringify({ value })), (error) => done(JSON.stringify({ error: String(error) })));`,
        args: [],
      });
      const { value, error } = JSON.parse(answer) as { value: never; error?: string };
      if (error !== undefined) throw new Error(error);
      return value;
    },
    clickAt: async (x, y) => {
      await actions("pointer", [
        { type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y) },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ]);
    },
    async press(key) {
      if (key !== "Shift+Tab") return void (await actions("key", stroke(KEYS[key])));
      await actions("key", [
        { type: "keyDown", value: KEYS.Shift },
        ...stroke(KEYS.Tab),
        { type: "keyUp", value: KEYS.Shift },
      ]);
    },
    type: async (text) => void (await actions("key", Array.from(text).flatMap(stroke))),
    screenshot: async () =>
      Buffer.from(await call<string>("GET", `${session}/screenshot`), "base64"),
    devtools: noDevtools,
    onDevtools: noDevtools,
    said: () => [],
    close: async () => void (await call("DELETE", session)),
  };
}

async function noDevtools(): Promise<never> {
  throw new Error("only Chromium has the DevTools protocol");
}

async function call<T>(method: string, url: string, body?: object): Promise<T> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`WebDriver: ${value.error} ${value.message}`);
  return value;
}

async function openScreen(): Promise<{ screen: ChildProcess; display: string }> {
  const screen = spawn(
    "Xvfb",
    ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
    {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    },
  );
  const [number] = (await once(screen.stdio[3] as Readable, "data")) as [Buffer];
  return { screen, display: `:${number.toString().trim()}` };
}

async function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/status`).then(
    (response) => response.ok,
    () => false,
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill();
  await once(child, "exit");
}
