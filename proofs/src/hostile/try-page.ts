import type { HostilePage } from "./hostile-page.ts";

/** What is tried on a page; returns what is wrong, in words. The body of a function in the page. */
export function tryPage({
  tries = ["widget", "hero", "call"],
  isCutOff,
  act = "",
}: HostilePage): string {
  return `return (async () => {
    const faults = [];
    const check = (holds, fault) => { if (!holds) faults.push(fault); };
    const look = () => [...document.querySelectorAll(".own")].map((one) => { const style = getComputedStyle(one); return [style.color, style.fontSize, style.display, style.backgroundColor, style.padding].join(); }).join(";");
    const ownLook = look();
    const title = document.title;
    ${act}
    await until(() => window.Svc?.version);
    const dialog = () => { for (const host of document.body.children) { const found = host.shadowRoot?.querySelector("dialog"); if (found) return found; } };
    const box = () => { for (const host of document.body.children) if (host.shadowRoot?.querySelector(".box")) return host.shadowRoot; };
    const isSeen = (one) => { const rect = one?.getBoundingClientRect(); return !!rect && rect.width > 20 && rect.height > 20 && rect.left >= -1 && rect.right <= innerWidth + 1 && getComputedStyle(one).visibility === "visible"; };
    ${tries.includes("widget") ? WIDGET : ""}
    ${tries.includes("hero") ? HERO : ""}
    ${tries.includes("call") ? (isCutOff ? CUT_OFF : CALL) : ""}
    await pause(50);
    check(look() === ownLook, "the page's own elements look different");
    check(document.title === title, "the title changed");
    const added = Object.getOwnPropertyNames(window).filter((name) => !known.includes(name) && name !== "Svc" && name !== "known" && !/^\\d+$/.test(name));
    check(added.length === 0, "globals added: " + added.join());
    faults.push(...troubles);
    return faults;
  })().catch((error) => [String(error), ...troubles]);`;
}

const WIDGET = `
  Svc.widget.show();
  await pause(30);
  check(isSeen(box()?.querySelector(".cta")), "the widget is not to be seen");
  Svc.widget.collapse();
  check(isSeen(box()?.querySelector(".pill")), "the collapsed widget is not to be seen");
  Svc.widget.expand();
  Svc.widget.hide();`;

const HERO = `
  const place = document.getElementById("place");
  Svc.hero.mount(place, { width: 120, height: 120 });
  check(isSeen(place.querySelector(".svc-hero-placeholder")), "the hero's face is not to be seen");
  check(isSeen(place.querySelector(".svc-hero-cta")), "the hero's button is not to be seen");
  Svc.hero.unmount();
  check(place.children.length === 0, "the hero was left behind");`;

const CALL = `
  const { opened, reason } = await Svc.startDemo();
  check(opened, "no call: " + reason);
  if (opened) {
    check(isSeen(dialog()), "the call is not to be seen");
    check(dialog().matches(":modal"), "the call is not modal");
    (await until(() => dialog().querySelector("button.primary"))).click();
    await until(() => dialog()?.querySelector("li.assistant"));
    check(isSeen(dialog().querySelector("textarea")), "there is nowhere to type");
    Svc.endDemo();
    (await until(() => [...(dialog()?.querySelectorAll("button.primary") ?? [])].at(-1))).click();
    await until(() => !dialog());
  }`;

const CUT_OFF = `
  const { opened, reason } = await Svc.startDemo();
  check(!opened && typeof reason === "string", "no reason was given");
  check((await Svc.checkClient()).allowed === false, "the check says that it is allowed");
  check((await Svc.getLanguages()).length === 0, "languages out of nowhere");`;
