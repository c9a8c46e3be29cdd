import type { LiveEmailCard } from "@svc/contract/types";
import de from "@svc/contract/words/de.json" with { type: "json" };
import en from "@svc/contract/words/en.json" with { type: "json" };
import es from "@svc/contract/words/es.json" with { type: "json" };
import fr from "@svc/contract/words/fr.json" with { type: "json" };
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Frame } from "../call/frame.ts";
import type { Outgoing } from "../call/live-connection.ts";
import { fakeDocument, FakeElement } from "../core/page-under-test.ts";
import { cardPlace } from "./cards.ts";

beforeEach(() => {
  vi.stubGlobal("document", fakeDocument());
});

/** A place for cards, what was sent from it, and what the page and the conversation were told. */
function place(words = en.cards) {
  const box = new FakeElement("div");
  const sent: Outgoing[] = [];
  const told: string[] = [];
  const notes: string[] = [];
  const cards = cardPlace(box as unknown as HTMLElement, {
    frame: { addStyle: () => {} } as unknown as Frame,
    words,
    emit: (_, detail) => void told.push((detail as { email: string }).email),
    log: { note: (text) => void notes.push(text), following: (change) => change() },
    send: (message) => void sent.push(message),
    reply: () => {},
    focus: () => {},
  });
  const press = (text: string): void => {
    const buttons = box.all.filter(({ tagName }) => tagName === "BUTTON");
    const button = buttons.find(({ textContent }) => textContent === text);
    if (button === undefined) throw new Error(`There is no "${text}" in: ${box.textContent}`);
    button.onclick!();
  };
  const submit = (address: string): void => {
    box.querySelector("input")!.value = address;
    box.querySelector("form")!.onsubmit!({ preventDefault: () => {} });
  };
  return { box, cards, sent, told, notes, press, submit };
}

const confirmed = (value: string) => ({
  type: "card_result",
  card_id: "c1",
  action: "confirmed",
  value,
});

const CARD: LiveEmailCard = { kind: "email", id: "c1" };
const TYPO = "jo@gmial.con";
const DOUBTED: LiveEmailCard = {
  ...CARD,
  prefill: TYPO,
  doubt: { domain: "gmial.con", suggestion: "jo@gmail.com" },
};

test("an address that was confirmed is noted, and no mail is promised", () => {
  const { cards, sent, told, notes, submit } = place();
  cards.show(CARD);
  submit("ada@example.com");
  expect(sent).toEqual([confirmed("ada@example.com")]);
  expect(told).toEqual(["ada@example.com"]);
  expect(notes).toEqual(["Thank you. We noted ada@example.com."]);
});

test("what was wrong with an address is not said of the next one, typed or spoken", () => {
  const { box, cards, submit } = place();
  const trouble = (): string =>
    box.all.find(({ className }) => className === "danger")!.textContent;
  cards.show({ kind: "email", id: "e" });
  submit("dana");
  expect(trouble()).toBe(en.cards.email_invalid);
  box.querySelector("input")!.oninput!();
  expect(trouble()).toBe("");
  expect(box.querySelector("input")!.attributes["aria-invalid"]).toBeUndefined();
  submit("");
  expect(trouble()).toBe(en.cards.email_invalid);
  cards.show({ kind: "email", id: "e", prefill: "dana@example.com" });
  expect(trouble()).toBe("");
});

describe("an address whose domain takes no mail", () => {
  const doubted = (card = DOUBTED, words = en.cards) => {
    const shown = place(words);
    shown.cards.show(CARD);
    shown.submit(TYPO);
    shown.cards.show(null);
    shown.cards.show(card);
    shown.sent.length = 0;
    return shown;
  };

  test("is asked about, with the likely one a click away", () => {
    const { box, cards, sent, told, notes, press } = doubted();
    expect(box.textContent).toContain("gmial.con takes no mail. Is the address right?");
    expect(box.textContent).toContain(TYPO);
    press("Use jo@gmail.com");
    expect(sent).toEqual([confirmed("jo@gmail.com")]);
    expect(told).toEqual([TYPO, "jo@gmail.com"]);
    expect(notes.at(-1)).toBe("We noted jo@gmail.com instead.");
    expect(cards.email).toBe("jo@gmail.com");
    expect(box.childNodes).toEqual([]);
  });

  test("stays when the visitor says that it is right, and nobody is told twice", () => {
    const { cards, sent, told, notes, press } = doubted();
    press(en.cards.email_right);
    expect(sent).toEqual([confirmed(TYPO)]);
    expect(told).toEqual([TYPO]);
    expect(notes).toHaveLength(1);
    expect(cards.email).toBe(TYPO);
  });

  test("can be corrected by hand, or kept after all", () => {
    const { box, sent, press, submit } = doubted();
    press(en.cards.email_correct);
    expect(box.querySelector("input")!.value).toBe(TYPO);
    expect(box.textContent).not.toContain(en.cards.email_help);
    submit("jo@kranich.example");
    expect(sent).toEqual([confirmed("jo@kranich.example")]);
    const kept = doubted();
    kept.press(en.cards.email_correct);
    kept.press(en.cards.email_right);
    expect(kept.sent).toEqual([confirmed(TYPO)]);
  });

  test("has no suggestion where there is none", () => {
    const { box } = doubted({ ...DOUBTED, doubt: { domain: "gmial.con" } });
    const buttons = box.all.filter(({ tagName }) => tagName === "BUTTON");
    const texts = buttons.map(({ textContent }) => textContent);
    expect(texts).toEqual([en.cards.email_correct, en.cards.email_right]);
  });

  test.each([en, de, fr, es])(
    "is asked about in the visitor's language: $language",
    ({ cards }) => {
      const { box, press } = doubted(DOUBTED, cards);
      expect(box.textContent).toContain("gmial.con");
      expect(box.textContent).toContain(cards.email_correct);
      expect(box.textContent).toContain(cards.email_right);
      press(cards.email_use.replace("{email}", "jo@gmail.com"));
    },
  );
});
