import { readAgent } from "#agents";
import type { AgentConfig } from "#agents";
import { AppError } from "#platform";
import * as z from "zod";
import { folderOf } from "../../arguments/parse-arguments.ts";
import { BROWSER, openChromium } from "../../chromium.ts";
import type { Chromium } from "../../chromium.ts";
import { defineCommand, given, optional } from "../../command.ts";
import type { Command } from "../../command.ts";
import { EXIT } from "../../terminal/explain-error.ts";
import { table } from "../../terminal/terminal.ts";

/** As long as the SDK waits for content that comes late. */
const WAIT_MS = 8_000;

interface CheckedPlace {
  place: string;
  url: string;
  result: "found" | "not_found" | "no_snippet" | "no_page";
  /** What the page or the browser said. */
  detail?: string;
}

const CheckOutput: z.ZodType<{ slug: string; places: CheckedPlace[] }> = z.strictObject({
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
});

const agentsCheck = defineCommand({
  name: "agents check",
  summary: "Visit every place of an agent in a local Chromium, and say which are not found",
  arguments: [
    { name: "dir", summary: "the agent's folder" },
    { name: "url", summary: "the site that its paths belong to, such as https://www.example.com" },
  ],
  options: [BROWSER],
  examples: [
    [
      "svc agents check agents/guide https://www.example.com",
      "exits with 1 when a place is not found, or its page has no snippet",
    ],
  ],
  output: CheckOutput,
  run: async (operator, input) => {
    const [at, typed] = folderOf(operator, input);
    const site = siteOf(given(input, "url"));
    const { slug, config } = await readAgent(at, typed, { needsWords: false });
    const wanted = placesOf(config, site);
    if (wanted.length === 0) return { slug, places: [] };
    const chromium = await openChromium(optional(input, "browser"));
    try {
      const places: CheckedPlace[] = [];
      for (const one of wanted) {
        operator.progress(places.length, wanted.length, "places visited");
        places.push(await visit(chromium, one));
      }
      return { slug, places };
    } finally {
      await chromium.close();
    }
  },
  render: ({ slug, places }, terminal) => {
    const missing = places.filter(({ result }) => result !== "found").length;
    if (places.length === 0) return `${slug} has no places.`;
    const sum = `${places.length - missing} of ${places.length} places of ${slug} are found.`;
    const rows = table(terminal, places, [
      { title: "place", cell: ({ place }) => place },
      {
        title: "result",
        cell: ({ result }) => result.replace("_", " "),
        tone: ({ result }) => (result === "found" ? "good" : "bad"),
      },
      { title: "page", cell: ({ url, detail }) => (detail ? `${url} (${detail})` : url) },
    ]);
    return [rows, "", sum].join("\n");
  },
  exitCode: ({ places }) =>
    places.every(({ result }) => result === "found") ? EXIT.done : EXIT.refused,
});

function siteOf(typed: string): string {
  if (URL.canParse(typed) && /^https?:/.test(typed)) return typed;
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

async function visit(
  chromium: Chromium,
  { place, url, selector }: WantedPlace,
): Promise<CheckedPlace> {
  try {
    const look = `(${lookFor.toString()})(${JSON.stringify(selector)}, ${WAIT_MS})`;
    const { found, snippet, status, trouble } = await chromium.look<Look>(url, look);
    if (status >= 400) return { place, url, result: "no_page", detail: `status ${status}` };
    if (trouble !== "") return { place, url, result: "not_found", detail: trouble };
    return { place, url, result: !found ? "not_found" : snippet ? "found" : "no_snippet" };
  } catch (error) {
    if (error instanceof AppError) throw error;
    return { place, url, result: "no_page", detail: (error as Error).message };
  }
}

interface Look {
  found: boolean;
  snippet: boolean;
  status: number;
  trouble: string;
}

/** Runs in the page, whose types the server does not know. Finds what the SDK would find. */
async function lookFor(selector: string, waitMs: number): Promise<Look> {
  const { document, performance } = globalThis as unknown as InBrowser;
  const endMs = Date.now() + waitMs;
  const state: Look = { found: false, snippet: false, status: 0, trouble: "" };
  do {
    state.status = performance.getEntriesByType("navigation")[0]?.responseStatus ?? 0;
    state.snippet = "Svc" in globalThis || [...document.querySelectorAll("#svc-sdk")].length > 0;
    try {
      let roots: Root[] = [document];
      let elements: PageElement[] = [];
      for (const step of selector.split(">>>")) {
        elements = roots.flatMap((root) => [...root.querySelectorAll(step)]);
        roots = elements.flatMap(({ shadowRoot }) => shadowRoot ?? []);
      }
      state.found = elements.some((one) => {
        const { width, height } = one.getBoundingClientRect();
        return width > 0 && height > 0;
      });
    } catch {
      state.trouble = "this is no selector";
      return state;
    }
    if ((state.found && state.snippet) || state.status >= 400) return state;
    await new Promise((resume) => setTimeout(resume, 100));
  } while (Date.now() < endMs);
  return state;
}

interface Root {
  querySelectorAll(selector: string): Iterable<PageElement>;
}

interface PageElement {
  shadowRoot: Root | null;
  getBoundingClientRect(): { width: number; height: number };
}

interface InBrowser {
  document: Root;
  performance: { getEntriesByType(type: "navigation"): { responseStatus?: number }[] };
}

export const agentsCheckCommands: Command[] = [agentsCheck];
