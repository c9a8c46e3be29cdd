import { expect, test } from "vitest";
import { browserOf } from "./browser-of.ts";
import type { BrowserName } from "./browser-of.ts";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15";

// V6
test.each<[browser: BrowserName, userAgent: string]>([
  ["chrome", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`],
  ["chrome", `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0`],
  ["chromePhone", `Mozilla/5.0 (Linux; Android 15) ${WEBKIT} Chrome/141.0 Mobile Safari/537.36`],
  ["firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
  ["safari", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.1 Safari/605.1`],
  ["safariPhone", `${IPHONE} (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1`],
  ["other", `${IPHONE} (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1`],
  ["other", "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"],
  ["other", ""],
])("the help is for %s when the browser says %s", (browser, userAgent) => {
  expect(browserOf(userAgent)).toBe(browser);
});
