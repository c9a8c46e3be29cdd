import { afterEach, describe, expect, test, vi } from "vitest";
import { findPlace } from "./find-place.ts";
import { isHere, markOf, setMark } from "./where.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a page is that of a place", () => {
  const here = { href: "https://shop.example/pricing/?from=mail#plans" };
  test.each([
    ["", true],
    ["/pricing", true],
    ["/pricing/", true],
    ["/pricing/index.html", true],
    ["/pricing?from=mail", true],
    ["/pricing#plans", true],
    ["https://shop.example/pricing", true],
    ["/pricing?from=ad", false],
    ["/pricing#faq", false],
    ["/", false],
    ["/pricing/teams", false],
    ["https://app.example/pricing", false],
  ])("%s: %s", (url, wanted) => {
    expect(isHere(url, here)).toBe(wanted);
  });
});

describe("the element of a place", () => {
  /** An element that has a size, or none, and a shadow root with others. */
  const node = (name: string, width = 10, inside?: object) => ({
    name,
    isConnected: true,
    shadowRoot: inside ?? null,
    getBoundingClientRect: () => ({ width, height: width }),
  });
  const root = (found: Record<string, object[]>) => ({
    querySelectorAll: (selector: string) => {
      if (selector.includes("!")) throw new SyntaxError("no selector");
      return found[selector.trim()] ?? [];
    },
  });

  test("is the first that can be seen, also in shadow roots", () => {
    const plans = node("team");
    const inside = root({ "#team": [node("hidden", 0), plans] });
    vi.stubGlobal(
      "document",
      root({ "#plans": [node("hidden", 0), plans], "shop-plans": [node("shop", 5, inside)] }),
    );
    expect(findPlace("#plans")).toBe(plans);
    expect(findPlace("shop-plans >>> #team")).toBe(plans);
    expect(findPlace("shop-plans >>> #other")).toBeUndefined();
    expect(findPlace("#plans >>> #team")).toBeUndefined();
    expect(findPlace("#!")).toBeUndefined();
  });
});

describe("what became of a cue is known on the next page", () => {
  test("of this tab", () => {
    const kept = new Map<string, string>();
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
    expect(markOf("a")).toBeUndefined();
    setMark("a", true);
    expect(markOf("a")).toBe("sent");
    setMark("a", false);
    expect([markOf("a"), markOf("b")]).toEqual(["taken", undefined]);
  });

  test("unless storage is blocked", () => {
    const blocked = (): never => {
      throw new DOMException("blocked");
    };
    vi.stubGlobal("sessionStorage", { getItem: blocked, setItem: blocked });
    setMark("a", true);
    expect(markOf("a")).toBeUndefined();
  });
});
