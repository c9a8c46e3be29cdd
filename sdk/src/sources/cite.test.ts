import en from "@svc/contract/words/en.json" with { type: "json" };
import { beforeEach, expect, test, vi } from "vitest";
import type { ConversationLog } from "../call/conversation-log.ts";
import type { FakeElement } from "../core/page-under-test.ts";
import { fakeDocument } from "../core/page-under-test.ts";
import { element } from "../kit.ts";
import { cite } from "./cite.ts";
import type { Cited } from "./cite.ts";

const PRICES = { title: "Prices", url: "https://a.test/prices" };
const EXPORT = { title: "Export", url: "https://a.test/export" };

beforeEach(() => {
  vi.stubGlobal("document", fakeDocument());
});

/** A conversation of turns with these words, and what a screen reader was told last. */
function conversation(...said: string[]) {
  const turns = said.map((text) =>
    element("li", {}, element("span", { className: "said" }, text)),
  ) as unknown as FakeElement[];
  const announcer = element("p") as unknown as FakeElement;
  const box = element("div") as unknown as FakeElement;
  const list = element("ol") as unknown as FakeElement;
  list.append(...turns);
  box.append(list, announcer);
  const log = {
    element: box,
    turns: new Map(turns.map((turn, at) => [`t${at}`, turn])),
    following: (change: () => void) => change(),
    toEnd: vi.fn<() => void>(),
  } as unknown as ConversationLog;
  return {
    turns,
    announcer,
    list,
    toEnd: log.toEnd,
    cite: (cited: Cited) => cite(cited, log, { addStyle: () => {} }, en),
    /** The addresses below a turn. */
    below: (at: number): unknown[] =>
      turns[at]!.all.filter(({ tagName }) => tagName === "A").map((link) =>
        (link as unknown as HTMLAnchorElement).getAttribute("href"),
      ),
  };
}

test("a turn links its sources, each once, as more of them come", () => {
  const { cite: add, below, turns } = conversation("It costs 29.", "And 100 a page.");
  add({ turn: "t0", sources: [PRICES] });
  add({ turn: "t0", sources: [PRICES, EXPORT] });
  add({ turn: "t0", sources: [PRICES, EXPORT] });
  expect(below(0)).toEqual([PRICES.url, EXPORT.url]);
  expect(below(1)).toEqual([]);
  const link = turns[0]!.querySelector("a")!;
  expect(link.attributes).toMatchObject({
    target: "_blank",
    rel: "noopener",
    "aria-label": "Source: Prices, opens in a new tab",
  });
  // Who copies the turn has the address.
  expect(turns[0]!.textContent).toContain("Prices https://a.test/prices");
});

test("a visitor who sees the newest turn sees its sources, and one who reads further up stays there", () => {
  const { cite: add, list, toEnd, turns } = conversation("It costs 29.");
  const layout = (scrollTop: number): void => {
    Object.assign(turns[0]!, { offsetTop: 500, offsetHeight: 100 });
    Object.assign(list, {
      lastElementChild: turns[0],
      offsetTop: 100,
      clientHeight: 200,
      scrollTop,
    });
  };
  layout(300);
  add({ turn: "t0", sources: [PRICES] });
  expect(toEnd).toHaveBeenCalledTimes(1);
  layout(200);
  add({ turn: "t0", sources: [PRICES, EXPORT] });
  expect(toEnd).toHaveBeenCalledTimes(1);
});

test("a new page has the sources of all turns", () => {
  const { cite: add, below } = conversation("Hello.", "It costs 29.", "What?", "And 100 a page.");
  add({ sources: { 1: [PRICES], 3: [EXPORT], 9: [EXPORT] } });
  expect([0, 1, 2, 3].map(below)).toEqual([[], [PRICES.url], [], [EXPORT.url]]);
});

test("sources are announced behind the words of their turn, and not while these are heard", () => {
  const { cite: add, announcer } = conversation("It costs 29.");
  add({ turn: "t0", sources: [PRICES] });
  expect(announcer.textContent).toBe("");
  announcer.textContent = "It costs 29.";
  add({ turn: "t0", sources: [PRICES, EXPORT] });
  add({ turn: "t0", sources: [PRICES, EXPORT] });
  expect(announcer.textContent).toBe(
    "It costs 29. Source: Prices, opens in a new tab. Source: Export, opens in a new tab",
  );
});

test("what is no address of a page leads nowhere, and a turn that is gone is passed over", () => {
  const { cite: add, below } = conversation("It costs 29.");
  add({ turn: "t0", sources: [{ title: "Prices", url: "javascript:alert(1)" }] });
  add({ turn: "t9", sources: [PRICES] });
  expect(below(0)).toEqual([""]);
});
