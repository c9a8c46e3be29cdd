import { describe, expect, it } from "vitest";
import { pageName, pageNameOf } from "./page-name.ts";

const SITE = "https://www.example.com";

describe("a page is counted under its site and path", () => {
  it.each([
    ["/", `${SITE}/`],
    ["", `${SITE}/`],
    ["/pricing", `${SITE}/pricing`],
    ["/pricing/", `${SITE}/pricing`],
    [
      "/blog/how-we-built-a-demo-agent-that-listens",
      `${SITE}/blog/how-we-built-a-demo-agent-that-listens`,
    ],
    ["/%C3%BCber-uns", `${SITE}/über-uns`],
  ])("%s", (path, name) => {
    expect(pageName(SITE, path)).toBe(name);
  });
});

describe("what could name a person is replaced", () => {
  it.each([
    ["an id", "/users/4711/plan", "/users/…/plan"],
    ["a UUID", "/u/01932c1e-7d3a-7c40-9f5e-3b1a2c4d5e6f", "/u/…"],
    ["an address", "/invite/ada@example.com", "/invite/…"],
    ["an encoded address", "/invite/ada%40example.com", "/invite/…"],
    ["a token without digits", "/reset/qWkLmNbVcXzAsDfGhJkLpOiU", "/reset/…"],
    ["digits of another script", "/users/٤٧١١", "/users/…"],
    ["what is no text", "/a/%ff%fe", "/a/…"],
    ["an encoded line break", "/a/b%0Ac", "/a/…"],
    ["an encoded slash", "/a/b%2Fc", "/a/…"],
    ["a path that is too long", `/${"word-".repeat(41)}`, "/…"],
  ])("%s", (_what, path, kept) => {
    expect(pageName(SITE, path)).toBe(`${SITE}${kept}`);
  });

  it("and of an address its query, its fragment and who logs in there", () => {
    const address = "https://ada:secret@www.example.com/pricing?email=ada@example.com#ada";
    expect(pageNameOf(address)).toBe(`${SITE}/pricing`);
    for (const none of ["", "about:blank", "file:///home/ada", "javascript:1"])
      expect(pageNameOf(none)).toBeUndefined();
  });
});
