import { readAgent } from "#agents";
import type { AgentConfig, ConfigAction } from "#agents";
import { AppError } from "#platform";
import * as z from "zod";
import { folderOf } from "../../arguments/parse-arguments.ts";
import { BROWSER, openChromium } from "../../chromium.ts";
import { defineCommand, given, optional } from "../../command.ts";
import type { Command } from "../../command.ts";
import { EXIT } from "../../terminal/explain-error.ts";
import { table } from "../../terminal/terminal.ts";
import { lookAtPage, paramsTrouble } from "./look-at-page.ts";
import type { SeenPage } from "./look-at-page.ts";

interface CheckedPlace {
  place: string;
  url: string;
  result: "found" | "not_found" | "no_snippet" | "no_page";
  /** What the page or the browser said. */
  detail?: string;
}

interface CheckedAction {
  action: string;
  /** The first page that registers it. */
  url?: string;
  result: "registered" | "not_registered" | "other_params";
  detail?: string;
}

interface Checked {
  slug: string;
  places: CheckedPlace[];
  actions: CheckedAction[];
}

const CheckOutput: z.ZodType<Checked> = z.strictObject({
  slug: z.string(),
  places: z.array(
    z.strictObject({
      place: z.string(),
      url: z.string(),
      result: z
        .enum(["found", "not_found", "no_snippet", "no_page"])
        .describe("no_snippet: the element is there, and a call could not go on on that page"),
      detail: z.string().exactOptional(),
    }),
  ),
  actions: z.array(
    z.strictObject({
      action: z.string(),
      url: z.string().exactOptional().describe("the first page that registers it"),
      result: z
        .enum(["registered", "not_registered", "other_params"])
        .describe("other_params: the page would refuse what the agent may send"),
      detail: z.string().exactOptional(),
    }),
  ),
});

const agentsCheck = defineCommand({
  name: "agents check",
  summary:
    "Visit every place of an agent in a local Chromium, and say which are not found and which actions no page registers",
  arguments: [
    { name: "dir", summary: "the agent's folder" },
    {
      name: "url",
      summary:
        "the site that its paths belong to, such as https://www.example.com; this page is visited too",
    },
  ],
  options: [BROWSER],
  examples: [
    [
      "svc agents check agents/guide https://www.example.com/app",
      "exits with 1 when a place is not found, its page has no snippet, or no page registers an action",
    ],
  ],
  output: CheckOutput,
  run: async (operator, input) => {
    const [at, typed] = folderOf(operator, input);
    const site = siteOf(given(input, "url"));
    const { slug, config } = await readAgent(at, typed, { needsWords: false });
    const { actions = [] } = config;
    const wanted = placesOf(config, site);
    const urls = new Set([...wanted.map(({ url }) => url), ...(actions.length > 0 ? [site] : [])]);
    if (urls.size === 0) return { slug, places: [], actions: [] };
    const chromium = await openChromium(optional(input, "browser"));
    try {
      const pages = new Map<string, SeenPage>();
      for (const url of urls) {
        operator.progress(pages.size, urls.size, "pages visited");
        const seen = [...pages.values()].flatMap((page) => Object.keys(page.actions));
        pages.set(
          url,
          await lookAtPage(chromium, url, {
            selectors: wanted.filter((one) => one.url === url).map(({ selector }) => selector),
            actions: actions.map(({ id }) => id).filter((id) => !seen.includes(id)),
          }),
        );
      }
      return {
        slug,
        places: wanted.map((one) => judgePlace(one, pages.get(one.url)!)),
        actions: actions.map((one) => judgeAction(one, pages)),
      };
    } finally {
      await chromium.close();
    }
  },
  render: ({ slug, places, actions }, terminal) => {
    const rows = [
      ...places.map(({ place, ...rest }) => ({ name: place, ...rest })),
      ...actions.map(({ action, ...rest }) => ({ name: action, ...rest })),
    ];
    if (rows.length === 0) return `${slug} has no places and no actions.`;
    const list = table(terminal, rows, [
      { title: "name", cell: ({ name }) => name },
      {
        title: "result",
        cell: ({ result }) => result.replace("_", " "),
        tone: ({ result }) => (isGood(result) ? "good" : "bad"),
      },
      {
        title: "page",
        cell: ({ url = "", detail }) => (detail ? `${url} (${detail})`.trim() : url),
      },
    ]);
    return [
      list,
      "",
      ...(places.length > 0
        ? [`${good(places)} of ${places.length} places of ${slug} are found.`]
        : []),
      ...(actions.length > 0
        ? [`${good(actions)} of ${actions.length} actions of ${slug} are registered.`]
        : []),
    ].join("\n");
  },
  exitCode: ({ places, actions }) =>
    [...places, ...actions].every(({ result }) => isGood(result)) ? EXIT.done : EXIT.refused,
});

function isGood(result: (CheckedPlace | CheckedAction)["result"]): boolean {
  return result === "found" || result === "registered";
}

function good(all: (CheckedPlace | CheckedAction)[]): number {
  return all.filter(({ result }) => isGood(result)).length;
}

function siteOf(typed: string): string {
  if (URL.canParse(typed) && /^https?:/.test(typed)) return new URL(typed).href;
  throw new AppError("invalid_input", {
    what: `"${typed}" is no address of a site.`,
    why: "Pages are visited over http or https.",
    fix: "Write the whole address, such as https://www.example.com.",
  });
}

interface WantedPlace {
  place: string;
  url: string;
  selector: string;
}

/** Every page that a place is on, in each language that has one of its own. */
function placesOf({ content }: AgentConfig, site: string): WantedPlace[] {
  return content.flatMap((one) => {
    if (!("link" in one) || one.place === undefined) return [];
    const { id, link, languages = [] } = one;
    const { selector } = one.place;
    const own = languages.flatMap(({ link: path }) => path ?? []);
    const urls = new Set([link, ...own].map((path) => new URL(path, site).href));
    return [...urls].map((url) => ({ place: id, url, selector }));
  });
}

function judgePlace({ place, url, selector }: WantedPlace, page: SeenPage): CheckedPlace {
  const { found, hasSnippet, trouble } = page;
  if (trouble !== undefined) return { place, url, result: "no_page", detail: trouble };
  if (found[selector] === undefined)
    return { place, url, result: "not_found", detail: "this is no selector" };
  return {
    place,
    url,
    result: !found[selector] ? "not_found" : hasSnippet ? "found" : "no_snippet",
  };
}

function judgeAction(
  { id, params }: ConfigAction,
  pages: ReadonlyMap<string, SeenPage>,
): CheckedAction {
  const [url, page] = [...pages].find(([, { actions }]) => actions[id] !== undefined) ?? [];
  if (url === undefined || page === undefined) {
    const detail = `looked at ${[...pages.keys()].join(", ")}`;
    return { action: id, result: "not_registered", detail };
  }
  const trouble = paramsTrouble(params, page.actions[id]!);
  if (trouble !== undefined) return { action: id, url, result: "other_params", detail: trouble };
  return { action: id, url, result: "registered" };
}

export const agentsCheckCommands: Command[] = [agentsCheck];
