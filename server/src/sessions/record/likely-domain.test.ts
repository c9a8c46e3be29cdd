import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { likelyDomain } from "./likely-domain.ts";

describe("the likely domain", () => {
  test.each([
    ["gmial.con", "gmail.com"],
    ["gmail.con", "gmail.com"],
    ["gmai.com", "gmail.com"],
    ["gamil.com", "gmail.com"],
    ["gmail.cmo", "gmail.com"],
    ["hotmial.com", "hotmail.com"],
    ["hotmail.f", "hotmail.fr"],
    ["outlok.com", "outlook.com"],
    ["yaho.com", "yahoo.com"],
    ["gmx.dee", "gmx.de"],
    ["wbe.de", "web.de"],
    ["icluod.com", "icloud.com"],
    ["t-onlien.de", "t-online.de"],
  ])("of %s is %s", (written, meant) => {
    expect(likelyDomain(written)).toBe(meant);
  });

  test.each([
    ["kranich.con", "kranich.com"],
    ["mail.kranich.nte", "mail.kranich.net"],
    ["kranich.co", "kranich.com"],
    ["verein.ogr", "verein.org"],
  ])("of a company's %s has the ending repaired: %s", (written, meant) => {
    expect(likelyDomain(written)).toBe(meant);
  });

  test.each(["acme.com", "kranich.example", "gmail.com", "xy.com", "kranich.de", "com"])(
    "of %s is unknown",
    (written) => {
      expect(likelyDomain(written)).toBeUndefined();
    },
  );

  test("is never the domain that was written", () => {
    fc.assert(
      fc.property(fc.domain(), (written) => {
        expect(likelyDomain(written)).not.toBe(written);
      }),
    );
  });
});
