import { setMicrophone } from "../browser-voice/microphone-problems.ts";
import type { Browser } from "../browsers/browser.ts";
import { inCall } from "../browsers/in-call.ts";
import { focused, keyboardOn } from "./audit.ts";

/** By voice, to text, back, and over a microphone problem: without a pointer. What went wrong. */
export async function talkByKeyboard(browser: Browser, url: string): Promise<string[]> {
  const faults: string[] = [];
  const page = await browser.newPage();
  await setMicrophone(page, url, "granted");
  await page.goto(url);
  const call = inCall(page);
  const { expectFocus, pressOn } = keyboardOn(page, faults);
  await pressOn("Talk to an agent");
  await call.see("dialog button", "Talk");
  await expectFocus("Talk", "notice");
  await page.press("Enter");
  await call.see("[data-voice=open]");
  await expectFocus("Mute", "talking");
  await page.press("Enter");
  await call.see("[aria-pressed=true]");
  await page.press("Enter");
  await pressOn("Type");
  await call.see("[data-voice=off]");
  await expectFocus("Your message", "in text");
  await page.press("Shift+Tab");
  await expectFocus("Talk", "before the field");
  await page.press("Enter");
  await call.see("[data-voice=open]");
  await expectFocus("Mute", "talking again");
  await setMicrophone(page, url, "denied");
  await call.see("[data-problem=removed]");
  await expectFocus("Your message", "without a microphone");
  for (let steps = 0; steps < 10 && (await focused(page)) !== "Type"; steps++)
    await page.press("Shift+Tab");
  await page.press("Enter");
  await call.gone(".help");
  await expectFocus("Your message", "after the microphone problem");
  await page.type("What is it good for?");
  await page.press("Enter");
  await call.see("li.user", "What is it good for?");
  await call.see(".state", "Your turn", 20_000);
  await pressOn("End");
  await call.see("h2", "Thank you");
  await page.close();
  return faults;
}
