import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { html } from "./html.ts";

describe("html", () => {
  test("escapes texts and keeps markup", () => {
    const part = html`<b>${"a & b"}</b>`;
    expect(String(html`<p title="${'"'}">${part}${undefined}${[part, "<"]}</p>`)).toBe(
      '<p title="&#34;"><b>a &#38; b</b><b>a &#38; b</b>&#60;</p>',
    );
  });

  // S5
  test("lets no value open a tag, an attribute or an entity", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "&", "<", ">", '"', "'", "#", ";", "\0", "é") }),
        (value) => {
          expect(String(html`${value}`).replaceAll(/&#\d\d;/g, "")).not.toMatch(/[&<>"']/);
        },
      ),
    );
  });
});
