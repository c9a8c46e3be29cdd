import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Each page has an SDK of its own. */
async function tokenOfPage(): Promise<string | undefined> {
  vi.resetModules();
  return (await import("./preview-token.ts")).previewToken();
}

function openPage(fragment: string, stored?: string): { address(): string; kept(): unknown } {
  let href = `https://shop.example/a?b=1${fragment}`;
  const kept = new Map<string, string>(stored === undefined ? [] : [["svc-preview", stored]]);
  vi.stubGlobal("location", { href, hash: fragment });
  vi.stubGlobal("history", {
    state: { of: "a router" },
    replaceState: (state: unknown, _title: string, url: string) => {
      expect(state).toEqual({ of: "a router" });
      href = url;
    },
  });
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  return { address: () => href.replace("https://shop.example/a?b=1", ""), kept: () => [...kept] };
}

test.each([
  ["#svc_preview=T", ""],
  ["#svc_preview=T&a=1", "#a=1"],
  ["#a=1&svc_preview=T", "#a=1"],
  ["#part&svc_preview=T&b", "#part&b"],
  ["#/route?c=2&svc_preview=T", "#/route?c=2"],
  ["#/route?svc_preview=T&c=2", "#/route?c=2"],
])("the token is taken out of %s, and %s stays", async (fragment, rest) => {
  const page = openPage(fragment);
  expect(await tokenOfPage()).toBe("T");
  expect(page.address()).toBe(rest);
  expect(page.kept()).toEqual([["svc-preview", "T"]]);
});

test("later pages of the tab have the token, and a new one replaces it", async () => {
  openPage("#part", "earlier");
  expect(await tokenOfPage()).toBe("earlier");
  openPage("#svc_preview=new", "earlier");
  expect(await tokenOfPage()).toBe("new");
});

test("a page without a token is left as it is", async () => {
  const page = openPage("#svc_previews=1&part");
  expect(await tokenOfPage()).toBeUndefined();
  expect(page.address()).toBe("#svc_previews=1&part");
  expect(page.kept()).toEqual([]);
});

test("a broken link is still a preview, so that no real session starts", async () => {
  openPage("#svc_preview=");
  expect(await tokenOfPage()).toBe("none");
  openPage(`#svc_preview=${"x".repeat(500)}`);
  expect(await tokenOfPage()).toHaveLength(200);
});

test("storage and history that throw do not stop a preview", async () => {
  openPage("#svc_preview=T");
  const refuse = (): never => {
    throw new Error("blocked");
  };
  vi.stubGlobal("sessionStorage", { getItem: refuse, setItem: refuse });
  vi.stubGlobal("history", { state: null, replaceState: refuse });
  expect(await tokenOfPage()).toBe("T");
  vi.stubGlobal("location", { href: "https://shop.example/", hash: "" });
  expect(await tokenOfPage()).toBeUndefined();
});

test("a token that is added to the address of an open page is found", async () => {
  openPage("#part");
  vi.resetModules();
  const { previewToken } = await import("./preview-token.ts");
  expect(previewToken()).toBeUndefined();
  openPage("#svc_preview=T");
  expect(previewToken()).toBe("T");
});
