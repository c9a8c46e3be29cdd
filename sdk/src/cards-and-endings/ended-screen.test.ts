import type { AgentFacts, CardWords } from "@svc/contract/types";
import de from "@svc/contract/words/de.json" with { type: "json" };
import en from "@svc/contract/words/en.json" with { type: "json" };
import es from "@svc/contract/words/es.json" with { type: "json" };
import fr from "@svc/contract/words/fr.json" with { type: "json" };
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Frame } from "../call/frame.ts";
import { element } from "../core/element.ts";
import { fakeDocument } from "../core/page-under-test.ts";
import type { FakeElement } from "../core/page-under-test.ts";
import { endedScreen, prefilled } from "./ended-screen.ts";
import type { EndedScreen } from "./ended-screen.ts";

beforeEach(() => {
  vi.stubGlobal("document", fakeDocument());
});

function ended(options: { email?: string; words?: CardWords } = {}) {
  return endedScreen({
    frame: { addStyle: () => {} } as unknown as Frame,
    agent: { brand: { name: "Linden" } } as AgentFacts,
    face: { element: element("span") },
    words: en.cards,
    reason: "agent_ended",
    metadata: {},
    seen: [],
    open: () => {},
    onGoOn: () => {},
    email: undefined,
    log: Object.assign(element("div", {}, "Hello."), {
      querySelectorAll: () => [{ textContent: "Hello." }],
    }),
    send: () => {},
    ...options,
  });
}

/** What the visitor reads of what comes next. */
function next(screen: EndedScreen): string {
  const { all } = screen.element as unknown as FakeElement;
  return all.find(({ className }) => className === "lead")!.textContent;
}

describe("goodbye", () => {
  beforeEach(() => vi.stubGlobal("navigator", {}));

  test.each([
    [en, "We noted", "We'll write to"],
    [de, "notiert", "Wir schreiben an"],
    [fr, "Nous avons noté", "Nous vous écrirons à"],
    [es, "Hemos anotado", "Le escribiremos a"],
  ])(
    "promises a mail only when the server says so: $0.language",
    ({ cards: words }, noted, promise) => {
      const screen = ended({ words, email: "ada@example.com" });
      expect(next(screen)).toContain(noted);
      expect(next(screen)).toContain("ada@example.com");
      expect(next(screen)).not.toContain(promise);
      screen.mailGoesTo("ada@example.com");
      expect(next(screen)).toContain(`${promise} ada@example.com`);
      expect(next(screen)).not.toContain(noted);
    },
  );

  test("says nothing of mail to a visitor who gave no address", () => {
    expect(next(ended())).toBe(`${en.cards.reasons.agent_ended} ${en.cards.next_without_email}`);
  });
});

function copyButton(navigator: object): FakeElement | undefined {
  vi.stubGlobal("navigator", navigator);
  const screen = ended().element as unknown as FakeElement;
  return screen.all.find(({ textContent }) => textContent === en.cards.copy);
}

test("the conversation can be copied", async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  const button = copyButton({ clipboard: { writeText } })!;
  button.onclick!();
  await vi.waitFor(() => expect(button.textContent).toBe(en.cards.copied));
  expect(writeText).toHaveBeenCalledWith("Hello.");
});

test("without a clipboard there is no button for it", () => {
  expect(copyButton({})).toBeUndefined();
});

test("where the browser refuses, the button says so", async () => {
  const writeText = (): Promise<void> => Promise.reject(new DOMException("no", "NotAllowedError"));
  const button = copyButton({ clipboard: { writeText } })!;
  button.onclick!();
  await vi.waitFor(() => expect(button.textContent).toBe(en.cards.not_copied));
});

test.each([
  ["https://cal.com/acme/demo", "https://cal.com/acme/demo?email=dana%40a.example&name=Dana"],
  [
    "https://calendly.com/acme?a=1",
    "https://calendly.com/acme?a=1&email=dana%40a.example&name=Dana",
  ],
  ["https://acme.cal.com/demo", "https://acme.cal.com/demo?email=dana%40a.example&name=Dana"],
  ["https://notcal.com/demo", "https://notcal.com/demo"],
  ["https://www.acme.example/start?x", "https://www.acme.example/start?x"],
])("only a calendar learns who the visitor is: %s", (link, filled) => {
  expect(prefilled({ text: "Meet us", link }, "dana@a.example", "Dana")).toBe(filled);
});
