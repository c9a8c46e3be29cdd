import type { Claim } from "./claims.ts";

/** `box()` is the widget's shadow root, `hero()` the hero's element, `place` an empty element of the page. */
const CORNERS: [position: string, sides: string][] = [
  ["top-left", "top left"],
  ["top-right", "top right"],
  ["bottom-left", "bottom left"],
  ["bottom-right", "bottom right"],
  ["top-center", "top middle"],
  ["bottom-center", "bottom middle"],
  ["left-center", "left centre"],
  ["right-center", "right centre"],
];

const AT = `
  const rect = box().host.getBoundingClientRect();
  const sides = [rect.top < 40 && "top", innerHeight - rect.bottom < 40 && "bottom", rect.left < 40 && "left", innerWidth - rect.right < 40 && "right",
    Math.abs(rect.left + rect.right - innerWidth) < 30 && "middle", Math.abs(rect.top + rect.bottom - innerHeight) < 30 && "centre"].filter(Boolean).join(" ");
`;

const widget: Claim[] = [
  {
    of: "widget",
    says: "configure only stores: the widget appears when show() is called",
    see: 'Svc.widget.configure({ ctaText: "Hello" }); await pause(100); if (box()) return false; Svc.widget.show(); return box().textContent.includes("Hello");',
  },
  {
    of: "widget",
    says: "show and hide display and hide it",
    see: "Svc.widget.show(); const shown = visible(); Svc.widget.hide(); const hidden = !visible(); Svc.widget.hide(); Svc.widget.show(); return shown && hidden && visible();",
  },
  {
    of: "widget",
    says: "expand and collapse change between the full interface and the minimal state",
    see: 'Svc.widget.show(); const card = !!box().querySelector(".card"); Svc.widget.collapse(); const small = !box().querySelector(".card") && box().host.getBoundingClientRect().width < 80; Svc.widget.expand(); return card && small && !!box().querySelector(".card");',
  },
  ...CORNERS.map(([position, sides]): Claim => ({
    of: "widget",
    says: `position ${position} is ${sides}`,
    see: `Svc.widget.configure({ position: "${position}" }); Svc.widget.show(); await pause(300); ${AT} return sides === "${sides}";`,
  })),
  {
    of: "widget",
    says: "position is bottom-right by default, and for what is no position, with a hint",
    see: `Svc.widget.configure({ position: "nowhere" }); Svc.widget.show(); await pause(300); ${AT} return sides === "bottom right" && warnings.length === 1;`,
  },
  {
    of: "widget",
    says: "ctaText is `Talk to an agent` by default",
    see: 'Svc.widget.show(); return box().querySelector("button.cta").textContent === "Talk to an agent";',
  },
  {
    of: "widget",
    says: "the default look is a gradient with white text",
    see: 'Svc.widget.show(); const style = getComputedStyle(box().querySelector(".cta")); return style.backgroundImage.includes("gradient") && style.color === "rgb(255, 255, 255)";',
  },
  {
    of: "widget",
    says: "primaryColor replaces the gradient with a solid colour, textColor colours the button's text",
    see: 'Svc.widget.configure({ primaryColor: "#102030", textColor: "rgb(1, 2, 3)" }); Svc.widget.show(); const style = getComputedStyle(box().querySelector(".cta")); return style.backgroundImage === "none" && style.backgroundColor === "rgb(16, 32, 48)" && style.color === "rgb(1, 2, 3)";',
  },
  {
    of: "widget",
    says: "primaryColor colours the input's focus border",
    see: 'Svc.widget.configure({ primaryColor: "#102030", collectData: { dataKey: "email" } }); Svc.widget.show(); const input = box().querySelector("input"); input.focus(); return getComputedStyle(input).borderTopColor === "rgb(16, 32, 48)";',
  },
  {
    of: "widget",
    says: "what is no colour is refused, and cannot bring a rule of its own",
    see: 'Svc.widget.configure({ primaryColor: "red;background:url(https://evil.example/x)" }); Svc.widget.show(); const style = getComputedStyle(box().querySelector(".cta")); return style.backgroundImage.includes("gradient") && warnings.length === 1;',
  },
  {
    of: "widget",
    says: "the agent's own picture has the face's size, and stays when it is collapsed and expanded",
    before: `factsAre({ avatar: { poster_url: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='400' height='300'/>" } });`,
    see: 'Svc.widget.show(); box().querySelector(".box").dispatchEvent(new PointerEvent("pointerenter")); const fits = () => { const { width, height } = box().querySelector("img").getBoundingClientRect(); return width === 56 && height === 56; }; await until(() => box().querySelector("img")); const large = fits(); Svc.widget.collapse(); const small = fits(); Svc.widget.expand(); return large && small && fits();',
  },
  {
    of: "widget",
    says: "localStorage remembers that the visitor collapsed it, and it stays so until they expand it",
    see: 'Svc.widget.show(); box().querySelector(".icon").click(); const remembered = localStorage.getItem("svc-widget") === "collapsed"; box().querySelector(".pill").click(); return remembered && localStorage.length === 0 && !!box().querySelector(".card");',
  },
  {
    of: "widget",
    says: "on later page loads it stays collapsed",
    before: 'localStorage.setItem("svc-widget", "collapsed");',
    see: 'Svc.widget.show(); const small = !box().querySelector(".card"); localStorage.clear(); return small;',
  },
  {
    of: "widget",
    says: "configure replaces what was stored, and is seen at the next show()",
    see: 'Svc.widget.configure({ ctaText: "One", textColor: "rgb(1, 2, 3)" }); Svc.widget.show(); Svc.widget.configure({ ctaText: "Two" }); const before = box().textContent.includes("One"); Svc.widget.show(); const style = getComputedStyle(box().querySelector(".cta")); return before && box().textContent.includes("Two") && style.color === "rgb(255, 255, 255)";',
  },
  {
    of: "widget",
    says: "expand() while hidden is remembered for the next show()",
    before: 'localStorage.setItem("svc-widget", "collapsed");',
    see: 'Svc.widget.expand(); if (box()) return false; Svc.widget.show(); return !!box().querySelector(".card") && localStorage.length === 0;',
  },
  {
    of: "widget",
    says: "the button starts the demo",
    see: 'Svc.widget.show(); box().querySelector(".cta").click(); await until(() => dialog()); return true;',
  },
  {
    of: "widget",
    says: "widget calls return nothing",
    see: "return [Svc.widget.configure({}), Svc.widget.show(), Svc.widget.expand(), Svc.widget.collapse(), Svc.widget.hide()].every((one) => one === undefined) && (localStorage.clear(), true);",
  },
];

const form: Claim[] = [
  {
    of: "form",
    says: "at 480 px the form is vertical",
    width: 480,
    see: 'Svc.widget.configure({ collectData: { dataKey: "email" } }); Svc.widget.show(); const [input, button] = [box().querySelector("input"), box().querySelector(".cta")].map((one) => one.getBoundingClientRect()); return innerWidth !== 480 || button.top >= input.bottom;',
  },
  {
    of: "form",
    says: "at 481 px the form is horizontal",
    width: 481,
    see: 'Svc.widget.configure({ collectData: { dataKey: "email" } }); Svc.widget.show(); const [input, button] = [box().querySelector("input"), box().querySelector(".cta")].map((one) => one.getBoundingClientRect()); return innerWidth < 481 || button.left >= input.right;',
  },
  {
    of: "form",
    says: "placeholder is `Enter your email` and the widget's formTitle `Start your demo` by default",
    see: 'Svc.widget.configure({ collectData: { dataKey: "email" } }); Svc.widget.show(); return box().querySelector("input").placeholder === "Enter your email" && box().querySelector("label").textContent === "Start your demo";',
  },
  {
    of: "form",
    says: "the value is added to the metadata under dataKey, over setMetadata",
    see: 'Svc.setMetadata({ email: "old@example.com", plan: "pro" }); Svc.widget.configure({ collectData: { dataKey: "email" } }); Svc.widget.show(); box().querySelector("input").value = "new@example.com"; box().querySelector("form").requestSubmit(); await press("Start"); const { metadata } = await until(() => sent.start); return metadata.email === "new@example.com" && metadata.plan === "pro";',
  },
  {
    of: "form",
    says: "without a validator only an empty value is refused",
    see: 'Svc.widget.configure({ collectData: { dataKey: "email" } }); Svc.widget.show(); const form = box().querySelector("form"); form.requestSubmit(); await until(() => box().querySelector("[role=alert]").textContent !== ""); const refused = !dialog(); box().querySelector("input").value = "anything"; form.requestSubmit(); await until(() => dialog()); return refused;',
  },
  {
    of: "form",
    says: "the validator gets the raw value; true is valid, a string is the message shown",
    see: 'let got; Svc.widget.configure({ collectData: { dataKey: "code", validator: (value) => { got = value; return value === " ok " || "Not this one."; } } }); Svc.widget.show(); const input = box().querySelector("input"); input.value = " no "; box().querySelector("form").requestSubmit(); await until(() => box().querySelector("[role=alert]").textContent === "Not this one."); if (got !== " no " || dialog()) return false; input.value = " ok "; box().querySelector("form").requestSubmit(); await until(() => dialog()); return true;',
  },
  ...[
    ["throws", '() => { throw new Error("no"); }'],
    ["returns false", "() => false"],
    ["returns a number", "() => 5"],
    ["returns nothing", "() => {}"],
    ["rejects", 'async () => { throw new Error("no"); }'],
  ].map(([how, validator]): Claim => ({
    of: "form",
    says: `a validator that ${how} makes the value invalid, in words`,
    see: `Svc.widget.configure({ collectData: { dataKey: "x", validator: ${validator} } }); Svc.widget.show(); box().querySelector("input").value = "v"; box().querySelector("form").requestSubmit(); await until(() => box().querySelector("[role=alert]").textContent !== ""); return !dialog();`,
  })),
  {
    of: "form",
    says: "a validator may take its time",
    see: 'Svc.widget.configure({ collectData: { dataKey: "x", validator: async () => true } }); Svc.widget.show(); box().querySelector("form").requestSubmit(); await until(() => dialog()); return true;',
  },
  {
    of: "form",
    says: "collectData without a dataKey is explained, and the demo starts without a form",
    see: "Svc.widget.configure({ collectData: {} }); Svc.widget.show(); return !box().querySelector('form') && warnings.length === 1;",
  },
];

const heroClaims: Claim[] = [
  {
    of: "hero",
    says: "the hero shows a placeholder at once, inline, with role img",
    see: 'Svc.hero.mount(place); const picture = place.querySelector(".svc-hero-placeholder"); return picture.getAttribute("role") === "img" && picture.getAttribute("aria-label") !== "" && sent.all.length === 0;',
  },
  {
    of: "hero",
    says: "every element of it has a class that begins with svc-hero-",
    see: 'Svc.hero.mount(place, { collectData: { dataKey: "email", formTitle: "Title" } }); return [...place.querySelectorAll("*")].every((one) => (one.getAttribute("class") ?? "").startsWith("svc-hero-"));',
  },
  {
    of: "hero",
    says: "a class rule of the page wins without !important",
    before:
      'addEventListener("DOMContentLoaded", () => { const sheet = new CSSStyleSheet(); sheet.replaceSync(".svc-hero-cta { background: rgb(9, 8, 7); }"); document.adoptedStyleSheets = [sheet]; });',
    see: 'Svc.hero.mount(place); return getComputedStyle(place.querySelector(".svc-hero-cta")).backgroundColor === "rgb(9, 8, 7)";',
  },
  {
    of: "hero",
    says: "ctaText is `Start demo now` by default, and the hero has no title of its own",
    see: 'Svc.hero.mount(place, { collectData: { dataKey: "email" } }); return place.querySelector(".svc-hero-cta").textContent === "Start demo now" && !place.querySelector("label");',
  },
  {
    of: "hero",
    says: "width and height are those of the avatar's area, in pixels",
    see: 'Svc.hero.mount(place, { width: 210, height: 130 }); const rect = place.querySelector(".svc-hero-stage").getBoundingClientRect(); return Math.round(rect.width) === 210 && Math.round(rect.height) === 130;',
  },
  {
    of: "hero",
    says: "without a size it fills the container",
    see: 'Svc.hero.mount(place); const rect = place.querySelector(".svc-hero-root").getBoundingClientRect(); const outer = place.getBoundingClientRect(); return Math.round(rect.width) === Math.round(outer.width) && Math.round(rect.height) === Math.round(outer.height);',
  },
  {
    of: "hero",
    says: "primaryColor and textColor colour its button",
    see: 'Svc.hero.mount(place, { primaryColor: "#102030", textColor: "rgb(1, 2, 3)" }); const style = getComputedStyle(place.querySelector(".svc-hero-cta")); return style.backgroundColor === "rgb(16, 32, 48)" && style.color === "rgb(1, 2, 3)";',
  },
  {
    of: "hero",
    says: "without collectData the button starts the demo at once",
    see: 'Svc.hero.mount(place); place.querySelector("button").click(); await until(() => dialog()); return true;',
  },
  {
    of: "hero",
    says: "setMetadata and the form's data are both included",
    see: 'Svc.setMetadata({ plan: "pro" }); Svc.hero.mount(place, { collectData: { dataKey: "team" } }); place.querySelector("input").value = "Sales"; place.querySelector("form").requestSubmit(); await press("Start"); const { metadata } = await until(() => sent.start); return metadata.plan === "pro" && metadata.team === "Sales";',
  },
  {
    of: "hero",
    says: "unmount removes it and cleans up; a second one does nothing",
    see: 'const before = document.querySelectorAll("*").length; Svc.hero.mount(place); Svc.hero.unmount(); Svc.hero.unmount(); return document.querySelectorAll("*").length === before;',
  },
  {
    of: "hero",
    says: "mount twice replaces",
    see: 'Svc.hero.mount(place, { ctaText: "One" }); Svc.hero.mount(place, { ctaText: "Two" }); return place.children.length === 1 && place.textContent.includes("Two");',
  },
  {
    of: "hero",
    says: "what is no element is explained, and nothing is thrown",
    see: 'Svc.hero.mount("#place"); Svc.hero.mount(null); Svc.hero.mount(); return warnings.length === 1;',
  },
  {
    of: "hero",
    says: "it works inside a shadow root",
    see: 'const inner = document.createElement("div"); place.attachShadow({ mode: "open" }).append(inner); Svc.hero.mount(inner); return getComputedStyle(inner.querySelector(".svc-hero-cta")).cursor === "pointer";',
  },
];

export const ENTRY_CLAIMS: Claim[] = [...widget, ...form, ...heroClaims];
