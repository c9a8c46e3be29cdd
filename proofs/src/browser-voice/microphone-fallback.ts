import { block, INSECURE_HOST, PROBLEMS, setMicrophone, SWITCHES } from "./microphone-problems.ts";
import type { MicrophoneBrowser, ProblemCase } from "./microphone-problems.ts";
import { openTalkingSite, sessionOf } from "./talking-site.ts";
import { openBrowser } from "../browsers/browser.ts";
import type { Browser, Page } from "../browsers/browser.ts";
import { inCall } from "../browsers/in-call.ts";
import type { Claim } from "../runner/proof.ts";
import type { TalkStage } from "../voice/talk-stage.ts";

const QUESTION = "What do I get after a session?";
const SHOWN_WITHIN_MS = 3_000;

// V6
export const microphoneFallback: Claim<TalkStage> = {
  promise:
    "Whatever keeps the microphone from a visitor, they read what it is and go on in text in the same session",
  bound: `${PROBLEMS.length} of ${PROBLEMS.length} causes and the way back, a fallback without its words is noticed`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  formerly: ["microphone-ladder"],
  prove: async ({ say, onEnd }, { model, serve }) => {
    model.answers(() => "You get a record of it.");
    const talkServer = await serve(onEnd, { ears: "scripted", voice: "tone" }, { SVC_ROLE: "all" });
    const browsers = new Map<MicrophoneBrowser, Browser>();

    /** On a site of its own: what a visitor allows, they allow a site. */
    async function visit(
      { browser: name = "usual", headers = {}, isInsecure = false }: Omit<ProblemCase, "problem">,
      walk: (page: Page, origin: string) => Promise<void>,
    ): Promise<string | undefined> {
      if (!browsers.has(name)) {
        const opened = await openBrowser("chromium", { switches: SWITCHES[name] });
        onEnd(() => opened.close());
        browsers.set(name, opened);
      }
      const page = await browsers.get(name)!.newPage();
      const { url, enter } = await openTalkingSite(onEnd, talkServer, { headers });
      const origin = isInsecure ? url.replace("127.0.0.1", INSECURE_HOST) : url;
      try {
        // What a page without TLS asks for cannot be allowed.
        if (!isInsecure) {
          await setMicrophone(page, origin, name === "dismissing" ? "prompt" : "granted");
        }
        await enter(page, origin);
        await walk(page, origin);
        return undefined;
      } catch (error) {
        return String(error);
      } finally {
        await page.close();
      }
    }

    let passed = 0;
    for (const one of PROBLEMS) {
      const fault = await visit(one, (page, origin) => fallBack(one, page, origin));
      if (fault === undefined) passed += 1;
      say(`${one.problem.padEnd(9)} ${fault ?? "read, and went on in text"}`);
    }
    const back = await visit({}, comeBack);
    say(`denied, and allowed in the end: ${back ?? "talks in the same session"}`);
    const wordless: ProblemCase = {
      problem: "denied",
      before: async (page, origin) => {
        await setMicrophone(page, origin, "denied");
        await block(page, "*/microphone-help.*");
      },
    };
    const missed = await visit(wordless, (page, origin) => fallBack(wordless, page, origin));
    say(`control: without the file of its words ${missed ?? "nothing is missing"}`);
    const allowed = await visit({}, (page) => fallBack({ problem: "denied" }, page, ""));
    say(`control: with a microphone ${allowed ?? "it is denied"}`);

    return {
      figure: `${passed} of ${PROBLEMS.length} causes, ${back === undefined ? "and" : "not"} the way back`,
      ok:
        passed === PROBLEMS.length &&
        back === undefined &&
        [missed, allowed].every((fault) => fault?.includes("[data-problem=denied]")),
      engines: [...browsers.values()].slice(0, 1).map(({ version }) => version),
    };
  },
};

/** Wants to talk, reads why that is not possible, and types. */
async function fallBack(
  { problem, before, during }: ProblemCase,
  page: Page,
  origin: string,
): Promise<void> {
  const call = inCall(page);
  await before?.(page, origin);
  await call.click("#start");
  await call.click("dialog button", "Talk");
  if (during !== undefined) {
    await call.see("[data-voice=open]");
    await during(page, origin);
  }
  await call.see(`[data-problem=${problem}] h3`, "", SHOWN_WITHIN_MS);
  const canTryAgain = (await call.texts(".help .primary")).length > 0;
  const isFinal = problem === "policy" || problem === "insecure";
  if (canTryAgain === isFinal) throw new Error(`Talk is ${isFinal ? "" : "not "}offered again`);
  await call.click(".help button", "Type");
  await call.gone(".help");
  await call.ask(QUESTION);
  await sessionOf(page);
  await call.end();
  await call.see("h2", "Thank you");
}

/** Denies it, changes their mind in the browser's settings, and talks. */
async function comeBack(page: Page, origin: string): Promise<void> {
  const call = inCall(page);
  await setMicrophone(page, origin, "denied");
  await call.click("#start");
  await call.click("dialog button", "Talk");
  await call.see("[data-problem=denied] p", "Click the icon left of the address");
  await setMicrophone(page, origin, "granted");
  await call.see(".help h3", "The microphone is allowed now");
  await call.click(".help button", "Talk");
  await call.see("[data-voice=open]");
  await call.see(".state", "Listening");
  await sessionOf(page);
  await call.end();
  await call.see("h2", "Thank you");
}
