/** What somebody reads on a page of the console. */
export interface ReadPage {
  title: string;
  /** Beside the title. */
  beside: string;
  tables: { head: string[]; rows: string[][] }[];
  /** The bar's share of the highest one. */
  funnel: { count: string; share: string; bar: number }[];
  cards: string[];
  /** Each point from 0 to 1, from the left and from the bottom. */
  plots: { label: string; lines: [x: number, y: number][][] }[];
  notices: string[];
  steps: string[];
  /** Names with their values, as in "Cost". */
  facts: [name: string, value: string][];
  /** The turns of a conversation. */
  said: string[];
  /** How many rows are shown. */
  foot: string;
  /** A delivery that is opened beside the list. */
  opened: string;
}

/** Runs in the page. */
export function readPage(): ReadPage {
  const main = document.querySelector("main")!;
  const text = (element: Element | null): string =>
    ((element as HTMLElement | null)?.innerText ?? "").replaceAll(/\s+/g, " ").trim();
  const all = (selector: string, root: Element = main): Element[] => [
    ...root.querySelectorAll(selector),
  ];
  const cell = (one: Element): string => {
    // "9 min ago" is another a moment later: the moment itself is read.
    const time = one.querySelector("time");
    return time === null ? text(one) : text(one).replace(text(time), time.dateTime);
  };
  return {
    title: text(main.querySelector("h1")),
    beside: text(main.querySelector("header .quiet")),
    tables: all("table").map((table) => ({
      head: all("thead th", table).map(text),
      rows: all("tbody tr", table).map((row) => all("th, td", row).map(cell)),
    })),
    funnel: all(".funnel th[scope=col]").map((step) => ({
      count: text(step.querySelector("b")),
      share: text(step.querySelector("span")),
      bar: Number(getComputedStyle(step.querySelector("i")!).getPropertyValue("--share")),
    })),
    cards: all(".cards > div").map(text),
    plots: all(".plot").map((plot) => {
      const svg = plot.querySelector("svg")!;
      const { width, height } = svg.viewBox.baseVal;
      return {
        label: svg.getAttribute("aria-label")!,
        lines: all("path:not(.axis, .limit)", svg).map((path) =>
          [...path.getAttribute("d")!.matchAll(/[ML]([\d.e-]+) ([\d.e-]+)/g)].map(
            ([, x, y]): [number, number] => [Number(x) / width, 1 - Number(y) / height],
          ),
        ),
      };
    }),
    notices: all(".notice").map(cell),
    steps: all(".steps li").map(text),
    facts: all("dt").map((name): [string, string] => [text(name), text(name.nextElementSibling)]),
    said: all(".said").map(text),
    foot: text(main.querySelector(".foot .end")),
    opened: all("aside").map(text).join(" "),
  };
}
