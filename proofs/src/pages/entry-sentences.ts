import type { Sentences } from "./see-sentences.ts";

const ofWidget: Sentences = {
  "configure only stores: the widget appears when show() is called": async ({ widget, pause }) => {
    Svc.widget.configure({ ctaText: "Hello" });
    await pause(100);
    if (widget()) return false;
    Svc.widget.show();
    return widget()?.textContent.includes("Hello");
  },
  "show and hide display and hide it": {
    see: ({ widget }) => {
      const isShown = (): boolean =>
        (widget()?.querySelector(".box")?.getBoundingClientRect().width ?? 0) > 0;
      Svc.widget.show();
      const first = isShown();
      Svc.widget.hide();
      const isHidden = !isShown();
      Svc.widget.hide();
      Svc.widget.show();
      return first && isHidden && isShown();
    },
    broken: () => {
      Svc.widget.hide = () => {};
    },
  },
  "expand and collapse change between the full interface and the minimal state": ({ show }) => {
    const box = show();
    const isFull = (): boolean => box.querySelector(".card") !== null;
    const isFullFirst = isFull();
    Svc.widget.collapse();
    const isSmall = !isFull() && box.host.getBoundingClientRect().width < 80;
    Svc.widget.expand();
    return isFullFirst && isSmall && isFull();
  },
  "each position is where its name says, and what is no position is bottom-right, with a hint": {
    see: async ({ show, pause, warnings }) => {
      const expected = {
        "top-left": "top left",
        "top-right": "top right",
        "bottom-left": "bottom left",
        "bottom-right": "bottom right",
        "top-center": "top middle",
        "bottom-center": "bottom middle",
        "left-center": "left centre",
        "right-center": "right centre",
        nowhere: "bottom right",
      };
      for (const [position, wanted] of Object.entries(expected)) {
        if (warnings.length > 0) return "an early hint";
        const { host } = show({ position: position as SvcWidgetPosition });
        await pause(300);
        const { top, bottom, left, right } = host.getBoundingClientRect();
        const sides = [
          top < 40 && "top",
          innerHeight - bottom < 40 && "bottom",
          left < 40 && "left",
          innerWidth - right < 40 && "right",
          Math.abs(left + right - innerWidth) < 30 && "middle",
          Math.abs(top + bottom - innerHeight) < 30 && "centre",
        ];
        const found = sides.filter(Boolean).join(" ");
        if (found !== wanted) return `${position} is ${found}`;
      }
      return warnings.length === 1;
    },
    broken: () => {
      Svc.widget.configure = () => {};
    },
  },
  "position is bottom-right by default": async ({ show, pause }) => {
    const { host } = show();
    await pause(300);
    const { right, bottom } = host.getBoundingClientRect();
    return innerWidth - right < 40 && innerHeight - bottom < 40;
  },
  "the collapsed widget is as far from the bottom as from the side": ({ show }) => {
    const box = show();
    Svc.widget.collapse();
    const { right, bottom } = box.querySelector(".pill")!.getBoundingClientRect();
    // Without the scroll bar's width.
    return innerHeight - bottom === document.documentElement.clientWidth - right;
  },
  "ctaText is `Talk to an agent` by default": ({ show }) =>
    show().querySelector("button.cta")?.textContent === "Talk to an agent",
  "the default look is a gradient with white text": ({ show, buttonStyle }) => {
    show();
    const { backgroundImage, color } = buttonStyle();
    return backgroundImage.includes("gradient") && color === "rgb(255, 255, 255)";
  },
  "primaryColor replaces the gradient with a solid colour, textColor colours the button's text": ({
    show,
    buttonStyle,
  }) => {
    show({ primaryColor: "#102030", textColor: "rgb(1, 2, 3)" });
    const { backgroundImage, backgroundColor, color } = buttonStyle();
    const isSolid = backgroundImage === "none" && backgroundColor === "rgb(16, 32, 48)";
    return isSolid && color === "rgb(1, 2, 3)";
  },
  "primaryColor colours the input's focus border": ({ show }) => {
    const box = show({ primaryColor: "#102030", collectData: { dataKey: "email" } });
    const input = box.querySelector("input")!;
    input.focus();
    return getComputedStyle(input).borderTopColor === "rgb(16, 32, 48)";
  },
  "what is no colour is refused, and cannot bring a rule of its own": (inPage) => {
    inPage.show({ primaryColor: "red;background:url(https://evil.example/x)" });
    const { backgroundImage } = inPage.buttonStyle();
    return backgroundImage.includes("gradient") && inPage.warnings.length === 1;
  },
  "the agent's own picture has the face's size, and stays when it is collapsed and expanded": {
    before: ({ service }) => {
      const picture = "<svg xmlns='http://www.w3.org/2000/svg' width='400' height='300'/>";
      service.facts = { avatar: { poster_url: `data:image/svg+xml,${picture}` } };
    },
    see: async ({ show, until }) => {
      const box = show();
      const fits = (): boolean => {
        const { width, height } = box.querySelector("img")!.getBoundingClientRect();
        return width === 56 && height === 56;
      };
      box.querySelector(".box")!.dispatchEvent(new PointerEvent("pointerenter"));
      await until(() => box.querySelector("img"));
      // The widget may still be growing to its size.
      await until(fits);
      Svc.widget.collapse();
      await until(fits);
      Svc.widget.expand();
      return until(fits);
    },
  },
  "localStorage remembers that the visitor collapsed it, and it stays so until they expand it": ({
    show,
  }) => {
    const box = show();
    box.querySelector<HTMLElement>(".icon")!.click();
    const isRemembered = localStorage.getItem("svc-widget") === "collapsed";
    box.querySelector<HTMLElement>(".pill")!.click();
    return isRemembered && localStorage.length === 0 && box.querySelector(".card") !== null;
  },
  "collapse() and expand() by code neither write nor erase what the visitor chose": {
    before: () => localStorage.setItem("svc-widget", "collapsed"),
    see: ({ show }) => {
      const box = show();
      Svc.widget.expand();
      const isKept = localStorage.getItem("svc-widget") === "collapsed";
      localStorage.clear();
      Svc.widget.collapse();
      return isKept && box.querySelector(".pill") !== null && localStorage.length === 0;
    },
    broken: () => {
      const collapse = Svc.widget.collapse;
      Svc.widget.collapse = () => {
        collapse();
        localStorage.setItem("svc-widget", "collapsed");
      };
    },
  },
  "on later page loads it stays collapsed": {
    before: () => localStorage.setItem("svc-widget", "collapsed"),
    see: ({ show }) => show().querySelector(".card") === null,
  },
  "configure replaces what was stored, and is seen at the next show()": ({ show, buttonStyle }) => {
    const box = show({ ctaText: "One", textColor: "rgb(1, 2, 3)" });
    Svc.widget.configure({ ctaText: "Two" });
    const isAsBefore = box.textContent.includes("One");
    const isNew = show().textContent.includes("Two");
    return isAsBefore && isNew && buttonStyle().color === "rgb(255, 255, 255)";
  },
  "expand() while hidden is remembered for the next show()": {
    before: () => localStorage.setItem("svc-widget", "collapsed"),
    see: ({ show, widget }) => {
      Svc.widget.expand();
      if (widget()) return false;
      return show().querySelector(".card") !== null;
    },
  },
  "the button starts the demo": async ({ show, dialog, until }) => {
    show().querySelector<HTMLElement>(".cta")!.click();
    await until(dialog);
    return true;
  },
  "widget calls return nothing": () => {
    const { configure, show, expand, collapse, hide } = Svc.widget;
    const returned = [configure({}), show(), expand(), collapse(), hide()];
    return returned.every((one) => one === undefined);
  },
};

const ofForm: Sentences = {
  "at 480 px the form is vertical": {
    width: 480,
    see: ({ show }) => {
      const box = show({ collectData: { dataKey: "email" } });
      const input = box.querySelector("input")!.getBoundingClientRect();
      const button = box.querySelector(".cta")!.getBoundingClientRect();
      return innerWidth !== 480 || button.top >= input.bottom;
    },
  },
  "at 481 px the form is horizontal": {
    width: 481,
    see: ({ show }) => {
      const box = show({ collectData: { dataKey: "email" } });
      const input = box.querySelector("input")!.getBoundingClientRect();
      const button = box.querySelector(".cta")!.getBoundingClientRect();
      return innerWidth < 481 || button.left >= input.right;
    },
  },
  "placeholder is `Enter your email` and the widget's formTitle `Start your demo` by default": ({
    show,
  }) => {
    const box = show({ collectData: { dataKey: "email" } });
    const title = box.querySelector("label")?.textContent;
    const placeholder = box.querySelector("input")?.placeholder;
    return placeholder === "Enter your email" && title === "Start your demo";
  },
  "the value is added to the metadata under dataKey, over setMetadata": async (inPage) => {
    Svc.setMetadata({ email: "old@example.com", plan: "pro" });
    inPage.show({ collectData: { dataKey: "email" } });
    inPage.submit("new@example.com");
    const { email, plan } = await inPage.startedWith();
    return email === "new@example.com" && plan === "pro";
  },
  "without a validator only an empty value is refused": async (inPage) => {
    inPage.show({ collectData: { dataKey: "email" } });
    inPage.submit();
    await inPage.until(() => inPage.complaint() !== "");
    const isRefused = !inPage.dialog();
    inPage.submit("anything");
    await inPage.until(inPage.dialog);
    return isRefused;
  },
  "the validator gets the raw value; true is valid, a string is the message shown": async (
    inPage,
  ) => {
    let got = "";
    const validator = (value: string): true | string => {
      got = value;
      return value === " ok " || "Not this one.";
    };
    inPage.show({ collectData: { dataKey: "code", validator } });
    inPage.submit(" no ");
    await inPage.until(() => inPage.complaint() === "Not this one.");
    if (got !== " no " || inPage.dialog()) return false;
    inPage.submit(" ok ");
    await inPage.until(inPage.dialog);
    return true;
  },
  "a validator that throws, rejects or returns nonsense makes the value invalid, in words": async (
    inPage,
  ) => {
    const fail = (): never => {
      throw new Error("no");
    };
    const validators = {
      throws: fail,
      "returns false": () => false,
      "returns a number": () => 5,
      "returns nothing": () => {},
      rejects: async () => fail(),
    };
    for (const [how, validator] of Object.entries(validators)) {
      inPage.show({ collectData: { dataKey: "x", validator: validator as () => boolean } });
      if (inPage.complaint() !== "") return `a complaint before one that ${how}`;
      inPage.submit("v");
      await inPage.until(() => inPage.complaint() !== "");
      if (inPage.dialog()) return how;
    }
    return true;
  },
  "a validator may take its time": async ({ show, submit, dialog, until }) => {
    show({ collectData: { dataKey: "x", validator: async () => true } });
    submit();
    await until(dialog);
    return true;
  },
  "collectData without a dataKey is explained, and the demo starts without a form": ({
    show,
    warnings,
  }) => {
    const box = show({ collectData: {} as SvcCollectData });
    return box.querySelector("form") === null && warnings.length === 1;
  },
};

const ofHero: Sentences = {
  "the hero shows a placeholder at once, inline, with role img": ({ place, sent }) => {
    Svc.hero.mount(place);
    const picture = place.querySelector(".svc-hero-placeholder")!;
    const isNamed =
      picture.getAttribute("role") === "img" && picture.getAttribute("aria-label") !== "";
    return isNamed && sent.all.length === 0;
  },
  "every element of it has a class that begins with svc-hero-": ({ place }) => {
    Svc.hero.mount(place, { collectData: { dataKey: "email", formTitle: "Title" } });
    const names = Array.from(place.querySelectorAll("*"), (one) => one.getAttribute("class") ?? "");
    return names.length > 0 && names.every((name) => name.startsWith("svc-hero-"));
  },
  "a class rule of the page wins without !important": {
    before: () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(".svc-hero-cta { background: rgb(9, 8, 7); }");
      document.adoptedStyleSheets = [sheet];
    },
    see: ({ place, buttonStyle }) => {
      Svc.hero.mount(place);
      return buttonStyle().backgroundColor === "rgb(9, 8, 7)";
    },
  },
  "ctaText is `Start demo now` by default, and the hero has no title of its own": ({ place }) => {
    Svc.hero.mount(place, { collectData: { dataKey: "email" } });
    const text = place.querySelector(".svc-hero-cta")?.textContent;
    return text === "Start demo now" && !place.querySelector("label");
  },
  "width and height are those of the avatar's area, in pixels": ({ place }) => {
    return [
      [210, 130],
      [50, 40],
      [300, 700],
    ].every(([width, height]) => {
      Svc.hero.mount(place, { width: width!, height: height! });
      const box = place.querySelector(".svc-hero-stage")!.getBoundingClientRect();
      return Math.round(box.width) === width && Math.round(box.height) === height;
    });
  },
  "without a size it fills the container": ({ place }) =>
    ["150px", "900px"].every((height) => {
      Object.assign(place.style, { width: "300px", height });
      Svc.hero.mount(place);
      const outer = place.getBoundingClientRect();
      const stage = place.querySelector(".svc-hero-stage")!.getBoundingClientRect();
      const button = place.querySelector(".svc-hero-cta")!.getBoundingClientRect();
      const isFilled = Math.round(button.bottom) === Math.round(outer.bottom);
      return isFilled && stage.top === outer.top && Math.round(stage.width) === 300;
    }),
  "primaryColor and textColor colour its button": ({ place, buttonStyle }) => {
    Svc.hero.mount(place, { primaryColor: "#102030", textColor: "rgb(1, 2, 3)" });
    const { backgroundColor, color } = buttonStyle();
    return backgroundColor === "rgb(16, 32, 48)" && color === "rgb(1, 2, 3)";
  },
  "without collectData the button starts the demo at once": async ({ place, dialog, until }) => {
    Svc.hero.mount(place);
    place.querySelector("button")!.click();
    await until(dialog);
    return true;
  },
  "setMetadata and the form's data are both included": async ({ place, submit, startedWith }) => {
    Svc.setMetadata({ plan: "pro" });
    Svc.hero.mount(place, { collectData: { dataKey: "team" } });
    submit("Sales");
    const { plan, team } = await startedWith();
    return plan === "pro" && team === "Sales";
  },
  "unmount removes it and cleans up; a second one does nothing": ({ place }) => {
    const left = (): number =>
      document.querySelectorAll("*").length + document.adoptedStyleSheets.length;
    const before = left();
    Svc.hero.mount(place);
    Svc.hero.mount(place);
    Svc.hero.unmount();
    Svc.hero.unmount();
    return left() === before;
  },
  "mount twice replaces": {
    see: ({ place }) => {
      Svc.hero.mount(place, { ctaText: "One" });
      Svc.hero.mount(place, { ctaText: "Two" });
      return place.children.length === 1 && place.textContent.includes("Two");
    },
    broken: () => {
      const mount = Svc.hero.mount;
      let isMounted = false;
      Svc.hero.mount = (...all) => {
        if (!isMounted) mount(...all);
        isMounted = true;
      };
    },
  },
  "what is no element is explained, and nothing is thrown": ({ warnings }) => {
    for (const wrong of ["#place", null, undefined]) Svc.hero.mount(wrong as never);
    return warnings.length === 1;
  },
  "it works inside a shadow root": ({ place }) => {
    const inner = document.createElement("div");
    place.attachShadow({ mode: "open" }).append(inner);
    Svc.hero.mount(inner);
    return getComputedStyle(inner.querySelector(".svc-hero-cta")!).cursor === "pointer";
  },
};

export const ENTRY_SENTENCES: Sentences = { ...ofWidget, ...ofForm, ...ofHero };
