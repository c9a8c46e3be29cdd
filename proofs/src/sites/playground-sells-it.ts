import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "../browsers/browser.ts";
import { inCall } from "../browsers/in-call.ts";
import type { InCall } from "../browsers/in-call.ts";
import { openCustomerSite } from "../product/customer-site.ts";
import { openWholeProduct } from "../product/whole-product.ts";
import type { Claim } from "../runner/proof.ts";
import type { SiteStage } from "./site-stage.ts";

/** What somebody types who wants to break out of the code that is shown. */
const HOSTILE = `"</script><script>window.broken = true</script><img src=x onerror="window.broken = true">`;

const opensByButton = async (call: InCall): Promise<void> => {
  await call.click("#demo");
  await call.see("dialog h2");
};

/** By page of the playground: what its code must bring about on a page that has nothing else. */
const BRINGS: Record<string, (call: InCall) => Promise<void>> = {
  widget: (call) => call.see(".card .cta, .pill"),
  hero: (call) => call.see(".svc-hero-cta"),
  button: opensByButton,
  form: (call) => call.see(".input, .svc-hero-input"),
  call: opensByButton,
  languages: async (call) => {
    await call.click("#languages button:nth-child(4)");
    await call.see("dialog h2");
  },
  metadata: opensByButton,
  events: opensByButton,
  faults: opensByButton,
};

export const playgroundSellsIt: Claim<SiteStage> = {
  promise:
    "Every page of the playground loads from the documents' site as plain files, the code it shows works when pasted into a blank page, and its address brings everything back",
  bound: "0 faults on all pages, a broken snippet and a stranger's link are noticed",
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  async prove({ say, onEnd }, { browser, serve }) {
    const { server, agentId } = await openWholeProduct(onEnd);
    const settings = JSON.stringify({ api: server.url, agent: agentId });
    const url = await serve(onEnd, { "/playground/playground.json": settings });
    const snippet = `<button id="demo">x</button><script defer src="${server.url}/sdk/no.js"></script>`;
    const control = tryPasted(browser, "button", snippet);

    let faults = 0;
    const left = Object.keys(BRINGS);
    const tryInTurn = async (): Promise<void> => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        const address = `${url}playground/index.html?page=${id}`;
        const found = await tryPage(browser, address, id).catch((error) => [String(error)]);
        faults += found.length;
        if (found.length > 0) say(`${id}: ${found.join("; ")}`);
      }
    };
    await Promise.all([tryInTurn(), tryInTurn(), tryInTurn()]);
    const noticed = (await control).length;
    say(`control: a broken snippet has ${noticed} faults`);

    const bareUrl = await serve(onEnd);
    const link = `${bareUrl}playground/index.html?api=https://stranger.example&agent=${agentId}`;
    const isAsked = await asksFirst(browser, link);
    say(`a link with a stranger's address: ${isAsked ? "asked about first" : "followed"}`);
    return {
      figure: `${faults} faults on ${Object.keys(BRINGS).length} pages`,
      ok: faults === 0 && noticed > 0 && isAsked,
      engines: [browser.version],
    };
  },
};

/** As it comes, then with every control turned, then again from the address, on a phone. */
async function tryPage(browser: Browser, address: string, id: string): Promise<string[]> {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  const desktop = await browser.newPage({ width: 1440, height: 900 });
  await desktop.goto(address);
  await untilSettled(desktop);
  const { code: usual } = await desktop.run(shown);
  faults.push(...(await tryPasted(browser, id, usual)));

  const turned = await desktop.run(turnEverything, HOSTILE);
  // The playground waits for a moment whether more is typed.
  await delay(300);
  await untilSettled(desktop);
  const first = await desktop.run(shown);
  check(turned > 0, "it has no controls");
  // Bad days change the preview, not the code.
  check(id === "faults" || first.code !== usual, "no control changes the code");
  faults.push(...(await tryPasted(browser, id, first.code)));

  const phone = await browser.newPage({ width: 390, height: 844 });
  await phone.goto(first.address);
  await untilSettled(phone);
  const second = await phone.run(shown);
  check(second.code === first.code, "its address brings back other code");
  check(second.settings === first.settings, "its address loses settings");
  check(!second.isTooWide, "a phone must scroll sideways");
  faults.push(...desktop.said(), ...first.complaints, ...phone.said(), ...second.complaints);
  await desktop.close();
  await phone.close();
  return faults;
}

/** Waits until the preview that belongs to the newest settings has loaded. */
async function untilSettled(page: Page): Promise<void> {
  const isSettled = (): boolean => {
    const [frame, ...more] = document.querySelectorAll("#stage iframe");
    const isShown = frame?.classList.contains("shown") === true && more.length === 0;
    return isShown && document.querySelector("pre") !== null;
  };
  for (let tries = 0; !(await page.run(isSettled)); tries++) {
    if (tries > 300) throw new Error("the preview did not come");
    await delay(50);
  }
}

/** Pastes code into a blank page of another site. Returns in words what is wrong with it. */
async function tryPasted(browser: Browser, id: string, code: string): Promise<string[]> {
  const site = await openCustomerSite({
    "/": `<!doctype html><link rel="icon" href="data:,"><title>Blank</title><body>\n${code}\n</body>`,
  });
  const page = await browser.newPage();
  try {
    await page.goto(site.url);
    const brought = await BRINGS[id]!(inCall(page)).then(
      () => [],
      (error: unknown) => [String(error)],
    );
    const isBroken = await page.run(() => "broken" in window);
    return [...brought, ...page.said(), ...(isBroken ? ["what was typed ran as code"] : [])];
  } finally {
    await page.close();
    await site.close();
  }
}

/** A link must not make the site run a script from anywhere. */
async function asksFirst(browser: Browser, link: string): Promise<boolean> {
  const page = await browser.newPage();
  await page.goto(link);
  await delay(500);
  const isAsked = await page.run(
    () => document.querySelector(".ask") !== null && document.querySelector("iframe") === null,
  );
  await page.close();
  return isAsked;
}

// What follows runs in the page.

interface Shown {
  /** What its Copy button gives. */
  code: string;
  address: string;
  settings: string;
  isTooWide: boolean;
  /** What went wrong in the preview, in words. */
  complaints: string[];
}

function shown(): Shown {
  const settings = [...new FormData(document.querySelector<HTMLFormElement>("#controls")!)];
  const wrong = document.querySelectorAll('#log [data-kind="error"], #log [data-kind="hint"]');
  return {
    code: document.querySelector("pre")!.textContent,
    address: location.href,
    settings: JSON.stringify(settings.filter(([name]) => !name.endsWith("-own"))),
    isTooWide: document.documentElement.scrollWidth > innerWidth,
    complaints: Array.from(wrong, ({ textContent }) => textContent),
  };
}

/** Turns every control to something else. Returns how many there were. */
function turnEverything(text: string): number {
  const turned = new Set<string>();
  for (const one of document.querySelectorAll<
    HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
  >("#controls :is(input, select, textarea)")) {
    if (one.type === "color" || turned.has(one.name)) continue;
    turned.add(one.name);
    if (one.type === "radio") {
      const others = [...document.getElementsByName(one.name)] as HTMLInputElement[];
      others.find((other) => !other.checked)!.click();
    } else if (one.type === "checkbox") one.click();
    else {
      if (one instanceof HTMLSelectElement) one.selectedIndex = one.options.length - 1;
      else if (one.type === "range") one.value = String(Number((one as HTMLInputElement).max) / 2);
      else if (one.value.startsWith("{")) one.value = JSON.stringify({ key: text, raw: text });
      else one.value = text;
      one.dispatchEvent(new Event("input", { bubbles: true }));
      one.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }
  return turned.size;
}
