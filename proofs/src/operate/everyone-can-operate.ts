import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page, PageOptions } from "../browsers/browser.ts";
import { waitUntil } from "../browsers/wait-until.ts";
import { Keyboard, namelessIn, overflowIn, unkindIn, violationsIn } from "../pages/audit.ts";
import type { Claim } from "../runner/proof.ts";
import { until } from "./operated-product.ts";
import type { Operated } from "./operated-product.ts";

const VIEWS: [name: string, options: PageOptions][] = [
  ["light", { width: 1_280, height: 800 }],
  ["dark", { width: 1_280, height: 800, dark: true }],
  ["320 px", { width: 320, height: 640 }],
  ["forced colours, reduced motion", { forcedColors: true, reducedMotion: true }],
];
/** Up to 4K. Looked at in the first view, for what sticks out alone: colours and names stay the same. */
const WIDTHS = [360, 390, 600, 720, 721, 1_024, 1_440, 1_920, 3_840];

/** A folder: every page and dialog that is looked at is saved there as a picture. */
const PICTURES = process.env["SVC_CONSOLE_PICTURES"];

/** What a page must show before it is looked at. */
type Reach = (page: Page) => Promise<void>;

interface State {
  path: string;
  shows: string;
  reach?: Reach;
  /** Only in the first view: it is built as another that every view looks at. */
  once?: true;
}

export const everyoneCanOperate: Claim<Operated> = {
  promise:
    "Everyone can use the console: by keyboard, with a screen reader, in the dark, on the smallest phone and the largest screen",
  bound:
    "every page and dialog, with data, empty and in trouble, light, dark, from 320 px to 4K, in forced colours without motion (of those built alike, one): the page never scrolls sideways, what is shown stays while the server is away, no table is cut off on a laptop, no message names a command, no control without a name or under 24 px, a visible focus, 0 violations of axe-core; every action by keyboard; eight planted faults are noticed",
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  async prove({ say, sized }, operated) {
    const { browser } = operated;
    const faults: string[] = [];
    const report = (fault: string): void => {
      faults.push(fault);
      say(fault);
    };
    let looked = 0;
    const views = sized({ gate: VIEWS.slice(0, 1), quick: VIEWS, full: VIEWS });
    for (const [view, options] of views) {
      for (const [who, states] of Object.entries(statesOf(operated))) {
        const page = await browser.newPage({ ...options, ownWindow: true });
        if (who !== "nobody") await signInAs(operated, page, who);
        for (const [name, { path, shows, reach, once }] of Object.entries(states)) {
          if (once && view !== "light" && PICTURES === undefined) continue;
          const found = await page
            .goto(`${operated.product.server.url}/console${path}`)
            .then(() => until(page, shows))
            .then(() => reach?.(page))
            .then(() => picture(page, `${view}, ${who}, ${name}`))
            .then(async () => [
              ...(await faultsIn(page)),
              ...(view === "light" && !once ? await sticksOutIn(page) : []),
            ])
            .catch((error: unknown) => [String(error)]);
          for (const fault of found) report(`${view}, ${who}, ${name}: ${fault}`);
          looked += 1;
        }
        await page.close();
      }
    }
    (await workByKeyboard(operated)).forEach(report);
    (await loseTheServer(operated)).forEach(report);

    const missed = await missedFaults(browser, operated);
    say(
      `control: of ${PLANTED.length} planted faults ${missed.length} are missed ${missed.join()}`,
    );
    return {
      figure: `${faults.length} faults in ${looked} looks at pages and dialogs, and in a day's work by keyboard`,
      ok: faults.length === 0 && missed.length === 0,
      engines: [browser.version],
    };
  },
};

/** Of the page; of a long one, what somebody scrolls to. */
async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  const { width, height } = await page.run(() => ({
    width: innerWidth,
    height: document.querySelector("dialog[open]")
      ? innerHeight
      : Math.min(document.documentElement.scrollHeight, 2 * innerHeight),
  }));
  const png = await page.screenshot({ x: 0, y: 0, width, height });
  await writeFile(join(PICTURES, `${name}.png`), png);
}

async function faultsIn(page: Page): Promise<string[]> {
  return [
    ...(await violationsIn(page)),
    ...(await overflowIn(page, "console")),
    ...(await namelessIn(page)),
    ...(await unkindIn(page)),
    ...(await unseenIn(page)),
    ...(await commandsIn(page)),
    ...(await cutIn(page)),
  ];
}

/** Tables scroll by themselves on a small screen; on a large one what they cut off is not looked for. */
async function cutIn(page: Page): Promise<string[]> {
  return page.run(() =>
    [...document.querySelectorAll(".table")]
      .filter((one) => innerWidth >= 1_280 && one.scrollWidth > one.clientWidth + 1)
      .map((one) => `a table is cut off: "${one.textContent.slice(0, 60)}"`),
  );
}

/** Who uses the console has no command line: a message of the server must not send them there. */
async function commandsIn(page: Page): Promise<string[]> {
  return page.run(() =>
    [...document.querySelectorAll("[role=alert]")]
      .map((one) => one.textContent)
      .filter((text) => text.includes("`"))
      .map((text) => `tells to type a command: "${text.slice(0, 80)}"`),
  );
}

/** At other widths. */
async function sticksOutIn(page: Page): Promise<string[]> {
  const faults: string[] = [];
  const resize = (width: number): Promise<unknown> =>
    page.devtools("Emulation.setDeviceMetricsOverride", {
      width,
      height: 800,
      deviceScaleFactor: 1,
      mobile: false,
    });
  for (const width of WIDTHS) {
    await resize(width);
    const found = await overflowIn(page, "console");
    faults.push(...found.map((fault) => `at ${width} px: ${fault}`));
  }
  await resize(1_280);
  return faults;
}

/** Controls whose focus cannot be seen: neither they nor what holds them look different with it. */
async function unseenIn(page: Page): Promise<string[]> {
  return page.run(() => {
    const looksOf = (one: Element): string => {
      const looks: string[] = [];
      for (let at: Element | null = one; at !== null; at = at.parentElement) {
        const { outlineStyle, outlineWidth, boxShadow, backgroundColor, borderColor } =
          getComputedStyle(at);
        const outline = outlineStyle === "none" ? "" : outlineWidth;
        looks.push(outline, boxShadow, backgroundColor, borderColor);
        looks.push(getComputedStyle(at.firstElementChild ?? at).boxShadow);
      }
      return looks.join();
    };
    const before = document.activeElement;
    const place = document.querySelector("dialog[open]") ?? document;
    const unseen = [
      ...place.querySelectorAll<HTMLElement>(
        "a[href], button, input, select, summary, [tabindex='0']",
      ),
    ]
      .filter((one) => one.checkVisibility() && !one.matches(":disabled"))
      .filter((one) => {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        const without = looksOf(one);
        one.focus({ focusVisible: true });
        return looksOf(one) === without;
      })
      .map(
        (one) => `the focus on ${one.tagName} "${one.textContent.trim().slice(0, 30)}" is not seen`,
      );
    if (before instanceof HTMLElement) before.focus();
    return [...new Set(unseen)];
  });
}

const PEOPLE = {
  "an admin": { name: "Ines Marlow", role: "admin" },
  "a viewer of nothing": { name: "Sam Nobody", role: "viewer" },
  "an admin without a server": { name: "Ines Marlow", role: "admin" },
} as const;

async function signInAs(operated: Operated, page: Page, who: string): Promise<void> {
  const person = PEOPLE[who as keyof typeof PEOPLE];
  const { idle } = operated;
  await operated.signIn(page, {
    ...person,
    ...(person.role === "viewer" && { accounts: [idle.account.id] }),
  });
  if (who !== "an admin without a server") return;
  await page.devtools("Network.enable");
  await page.devtools("Network.setBlockedURLs", { urls: ["*/admin/v1/*"] });
}

/** Every page and dialog, by who sees it. */
function statesOf({
  busy,
  idle,
  eventful,
  receiverId,
  ask,
}: Operated): Record<string, Record<string, State>> {
  const account = `/accounts/${busy.account.clientId}`;
  const dialog =
    (words: string, shows = "dialog[open]"): Reach =>
    async (page) => {
      await press(page, words);
      await until(page, shows);
    };
  const problem = ".empty[role=alert]";
  return {
    nobody: {
      "not signed in": { path: "", shows: "h1" },
      "a link that was used": { path: "/sign-in", shows: "h1" },
      "a link that is not known": { path: `/sign-in#${"x".repeat(43)}`, shows: "h1", once: true },
      "a provider that does not answer": { path: "/oidc", shows: "h1", once: true },
    },
    "an admin": {
      overview: { path: "", shows: ".cards" },
      "overview by device": { path: "?by=device", shows: ".parted" },
      "a lead that is found": {
        path: "",
        shows: ".cards",
        async reach(page) {
          await dialog("Find", ".palette [role=option]")(page);
          await page.type("dana");
          await until(page, ".palette [role=option]", "Dana Whitlock");
        },
        once: true,
      },
      "no lead is found": {
        path: "",
        shows: ".cards",
        async reach(page) {
          await dialog("Find", ".palette [role=option]")(page);
          await page.type("zzzz");
          await until(page, ".palette [role=option]", "not finished");
        },
        once: true,
      },
      palette: { path: "", shows: ".cards", reach: dialog("Find", ".palette [role=option]") },
      sessions: { path: "/sessions", shows: ".rows .row" },
      "sessions that were searched": { path: "/sessions?text=team", shows: ".heard mark" },
      "no session fits": { path: "/sessions?text=zzzz", shows: ".empty" },
      session: { path: `/sessions/${eventful}`, shows: ".notice b" },
      "facts of a session": {
        path: `/sessions/${eventful}`,
        shows: ".notice b",
        reach: async (page) => {
          await page.run(() =>
            document.querySelector<HTMLElement>(".parts button:last-child")!.click(),
          );
          await until(page, ".attempt");
        },
      },
      "asked to erase": {
        path: `/sessions/${eventful}`,
        shows: ".notice b",
        reach: dialog("Erase"),
      },
      "no such receiver": { path: "/endpoints/none", shows: problem, once: true },
      "no such agent": { path: "/agents/none/gaps", shows: problem, once: true },
      "no such session": { path: `/sessions/${UNKNOWN}`, shows: problem },
      deliveries: { path: "/deliveries", shows: ".rows .row" },
      "a delivery": {
        path: "/deliveries?state=exhausted",
        shows: ".who .row",
        reach: async (page) => {
          await page.run(() => {
            [...document.querySelectorAll<HTMLElement>(".who .row")].at(-1)!.click();
          });
          await until(page, "aside .box");
        },
      },
      "asked to replay": { path: "/deliveries", shows: ".rows .row", reach: dialog("Replay 1") },
      receiver: { path: `/endpoints/${receiverId}`, shows: ".facts" },
      "a receiver that was checked": {
        path: `/endpoints/${receiverId}`,
        shows: ".facts",
        reach: dialog("Check this receiver", ".checks"),
      },
      "asked to remove a receiver": {
        path: `/endpoints/${receiverId}`,
        shows: ".facts",
        reach: dialog("Remove"),
        once: true,
      },
      "asked to replace a secret": {
        path: `/endpoints/${receiverId}`,
        shows: ".facts",
        reach: dialog("It has leaked"),
        once: true,
      },
      "a secret in stages": {
        path: `/endpoints/${receiverId}`,
        shows: ".facts",
        async reach(page) {
          await ask(`endpoints/${receiverId}/rotate`, { step: "stage" });
          await page.reload();
          await until(page, ".stages");
          // Who works by keyboard stages one, too.
          await ask(`endpoints/${receiverId}/rotate`, { step: "cancel" });
        },
      },
      agents: { path: "/agents", shows: ".rows .row" },
      "what nobody knew": { path: `/agents/${busy.agent.agentId}/gaps`, shows: ".rows b" },
      "every question had an answer": {
        path: `/agents/${idle.agent.agentId}/gaps`,
        shows: ".empty",
        once: true,
      },
      "asked to pause": { path: "/agents", shows: ".rows .row", reach: dialog("Pause") },
      accounts: { path: "/accounts", shows: ".rows .row" },
      account: { path: account, shows: ".rows .row" },
      "asked for a token": { path: account, shows: ".rows .row", reach: dialog("Issue a token") },
      "a token, shown once": {
        path: account,
        shows: ".rows .row",
        async reach(page) {
          await dialog("Issue a token")(page);
          await page.type("Warehouse");
          await page.press("Enter");
          await until(page, ".secret code");
        },
      },
      "asked to revoke a token": {
        path: account,
        shows: ".state.good",
        reach: dialog("Revoke"),
        once: true,
      },
      "a receiver that is refused": {
        path: account,
        shows: ".rows .row",
        async reach(page) {
          await dialog("Register")(page);
          await page.type("ftp://crm.example.com/hook");
          await page.press("Enter");
          await until(page, "dialog [role=alert]");
        },
        once: true,
      },
      "asked for a receiver": { path: account, shows: ".rows .row", reach: dialog("Register") },
      "no such account": { path: "/accounts/client_none", shows: ".empty" },
      me: { path: "/me", shows: ".part" },
      "asked for a token of mine": { path: "/me", shows: ".part", reach: dialog("Make a token") },
      "a token of mine, shown once": {
        path: "/me",
        shows: ".part",
        async reach(page) {
          await dialog("Make a token")(page);
          await page.type("Laptop");
          await page.press("Enter");
          await until(page, ".secret code");
        },
        once: true,
      },
      "tokens of mine": { path: "/me", shows: ".rows b", once: true },
      "no such page": { path: "/nowhere", shows: ".empty" },
    },
    "a viewer of nothing": {
      overview: { path: "", shows: ".cards" },
      sessions: { path: "/sessions", shows: ".empty" },
      deliveries: { path: "/deliveries", shows: ".empty" },
      account: { path: "/accounts", shows: ".rows .row" },
      "what is not theirs": { path: `/sessions/${eventful}`, shows: problem, once: true },
    },
    "an admin without a server": {
      overview: { path: "", shows: problem },
      sessions: { path: "/sessions", shows: problem, once: true },
      session: { path: `/sessions/${eventful}`, shows: problem },
      deliveries: { path: "/deliveries", shows: problem, once: true },
      agents: { path: "/agents", shows: problem, once: true },
      accounts: { path: "/accounts", shows: problem, once: true },
      me: { path: "/me", shows: problem, once: true },
    },
  };
}

const UNKNOWN = "01890000-0000-7000-8000-000000000000";

/** Where a pointer would be quicker: this is about what is shown afterwards. */
async function press(page: Page, words: string): Promise<void> {
  await until(page, "button", words);
  await page.run((wanted) => {
    const all = [...document.querySelectorAll("button")];
    all.find((one) => one.textContent.includes(wanted))!.click();
  }, words);
}

/** What an operator does in a day, without a pointer. */
async function workByKeyboard(operated: Operated): Promise<string[]> {
  const { browser, product, busy, eventful, receiverId } = operated;
  const page = await browser.newPage();
  await operated.signIn(page);
  const faults: string[] = [];
  const keyboard = new Keyboard(page, faults);
  const open = async (path: string, shows: string): Promise<void> => {
    await page.goto(`${product.server.url}/console${path}`);
    await until(page, shows);
  };
  const expect = async (selector: string, words?: string): Promise<void> =>
    until(page, selector, words).catch((error: unknown) => void faults.push(String(error)));

  /** What had it is gone: it is at the beginning of the page. */
  const expectKept = async (what: string): Promise<void> => {
    const isKept = (): Promise<boolean> =>
      page.run(() => document.activeElement?.tagName === "MAIN");
    if (!(await waitUntil(isKept, 3_000, 50))) faults.push(`the focus is lost after ${what}`);
    await page.press("Tab");
  };

  await open("", ".cards");
  await keyboard.pressOn("Find a lead");
  await page.press("Escape");
  await keyboard.expectFocus("Find a lead", "after the palette");
  await page.press("Enter");
  await page.type("dana@cafemarlow");
  await expect("dialog [role=option]", "Dana Whitlock");
  await page.press("Enter");
  await expect("h1", "Dana Whitlock");
  await keyboard.pressOn("Sunday evenings");
  await expect(".turn.lit");
  await keyboard.pressOn("Erase", "Shift+Tab");
  await expect("dialog[open]", "Erase this session?");
  await page.press("Escape");
  await keyboard.expectFocus("Erase", "after it was not erased");
  await keyboard.pressOn("Replay delivery");
  await expect("header button", "Sent again");

  await page.type("gd");
  await expect("h1", "Deliveries");
  await expect(".rows .row");
  await page.run(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.type("j");
  await page.press("Enter");
  await expect("h1", new URL(product.server.url).hostname);
  await page.type("gs");
  await expect("h1", "Sessions");
  await page.type("/");
  await keyboard.expectFocus("Search sessions", "after /");
  await page.type("excel");
  await page.press("Enter");
  await expect(".heard mark");

  await open("/agents", ".rows .row");
  await keyboard.pressOn("Pause");
  await expect("dialog[open]", "Pause");
  await keyboard.pressOn("Pause it");
  await expect(".state", "Paused");
  await keyboard.expectFocus("Resume", "after an agent was paused");
  await page.press("Enter");
  await expect("td button", "Pause");

  await open(`/accounts/${busy.account.clientId}`, ".rows .row");
  await keyboard.pressOn("Issue a token");
  await page.type("Keyboard");
  await page.press("Enter");
  await expect(".secret code");
  await page.press("Escape");
  await expect(".secret code");
  await keyboard.pressOn("I have kept it");
  await keyboard.expectFocus("Issue a token", "after a token was kept");
  await keyboard.pressOn("Revoke");
  await keyboard.pressOn("Revoke it");
  await expect(".state", "Revoked");
  await expectKept("a token was revoked");
  await keyboard.pressOn("Register a receiver");
  await page.type("https://crm.example.com/hook");
  await page.press("Enter");
  await expect(".secret code");
  await keyboard.pressOn("I have kept it");
  await keyboard.expectFocus("Register a receiver", "after a receiver was registered");

  await open(`/endpoints/${receiverId}`, ".facts");
  await keyboard.pressOn("Pause");
  await expect("header button", "Resume");
  await keyboard.expectFocus("Resume", "after a receiver was paused");
  await page.press("Enter");
  await expect("header button", "Pause");
  await keyboard.pressOn("Stage a new secret");
  await expect(".secret code");
  await keyboard.pressOn("I have kept it");
  await expectKept("a secret was staged");
  await open(`/sessions/${eventful}`, ".notice b");
  await keyboard.pressOn("Evaluate again");
  await expect("header button", "ordered");
  await page.close();
  return faults;
}

/** What somebody reads stays while the server is away, and says so; who is signed out meanwhile is led in again. */
async function loseTheServer(operated: Operated): Promise<string[]> {
  const page = await operated.browser.newPage({ ownWindow: true });
  const faults: string[] = [];
  const expect = (selector: string, words: string): Promise<void> =>
    until(page, selector, words).catch((error: unknown) => void faults.push(String(error)));
  await operated.signIn(page);
  await page.goto(`${operated.product.server.url}/console`);
  await until(page, ".cards");
  await page.devtools("Network.enable");
  const block = (urls: string[]): Promise<unknown> =>
    page.devtools("Network.setBlockedURLs", { urls });
  await block(["*/admin/v1/*"]);
  await expect(".notice", "What you see is of");
  await expect(".cards", "Live now");
  await block([]);
  await page.devtools("Network.clearBrowserCookies");
  await expect("[role=alert]", "You are signed out");
  await expect("[role=alert] a", "Sign in");
  await page.close();
  return faults;
}

const PLANTED = [
  "image-alt",
  "color-contrast",
  "HR.",
  "has no name",
  "is smaller",
  "is not seen",
  "type a command",
  "is cut off",
];

/** Of faults that are planted in a page of the console: those that nobody notices. */
async function missedFaults(browser: Browser, operated: Operated): Promise<string[]> {
  const page = await browser.newPage({ width: 1_280, height: 800 });
  await operated.signIn(page);
  await page.goto(`${operated.product.server.url}/console/agents`);
  await until(page, ".rows .row");
  const before = await faultsIn(page);
  // Without markup as text, which the page's policy refuses.
  await page.run(() => {
    const add = (tag: string, style: Partial<CSSStyleDeclaration>, words = ""): HTMLElement => {
      const one = document.createElement(tag);
      Object.assign(one.style, style);
      one.textContent = words;
      document.querySelector("h1")!.after(one);
      return one;
    };
    add("img", { width: "50px", height: "50px" });
    add("p", { color: "#777", background: "#666" }, "Hardly to be read");
    const cell = document.createElement("td");
    cell.style.minWidth = "3000px";
    document.querySelector(".rows tbody tr")!.append(cell);
    add("p", {}, "Run `svc doctor`.").role = "alert";
    add("hr", { width: "5000px", flex: "none" });
    add("button", { width: "30px", height: "30px" });
    add("button", { width: "9px", height: "9px", padding: "0" }, "x");
    add("button", { outline: "0", width: "80px", height: "30px" }, "Unseen");
  });
  const noticed = (await faultsIn(page)).filter((fault) => !before.includes(fault));
  await page.close();
  return [
    ...before.map((fault) => `before: ${fault}`),
    ...PLANTED.filter((kind) => !noticed.some((fault) => fault.includes(kind))),
  ];
}
