import type { ConfigAction } from "#agents";
import { AppError } from "#platform";
import type { Chromium } from "../../chromium.ts";

/** As long as the SDK waits for content that comes late. */
const WAIT_MS = 8_000;

/** What a page is asked for. */
export interface Wanted {
  selectors: string[];
  /** The names of actions. */
  actions: string[];
}

export interface SeenPage {
  /** Whether each selector finds something; undefined for what is no selector. */
  found: Record<string, boolean | undefined>;
  /** The parameters of each action that it registers. */
  actions: Record<string, RegisteredParams>;
  hasSnippet: boolean;
  /** Why there is no such page. */
  trouble?: string;
}

type RegisteredParams = Record<string, { type?: unknown; optional?: unknown }>;

/** Opens a page, and waits for what it is asked for as long as the SDK would. */
export async function lookAtPage(
  chromium: Chromium,
  url: string,
  wanted: Wanted,
): Promise<SeenPage> {
  const nothing = { found: {}, actions: {}, hasSnippet: false };
  try {
    const look = `(${lookFor.toString()})(${JSON.stringify(wanted)}, ${WAIT_MS})`;
    const { status, ...seen } = await chromium.look<Look>(url, look);
    return status >= 400 ? { ...nothing, trouble: `status ${status}` } : seen;
  } catch (error) {
    if (error instanceof AppError) throw error;
    return { ...nothing, trouble: (error as Error).message };
  }
}

/** What keeps a page from taking the values that an agent may send. */
export function paramsTrouble(
  declared: ConfigAction["params"],
  registered: RegisteredParams,
): string | undefined {
  for (const { key, type, optional } of declared) {
    const own = registered[key];
    if (own === undefined) return `the page does not take ${key}`;
    if (own.type !== type)
      return `${key} is ${type} for the agent, ${String(own.type)} for the page`;
    if (optional === true && own.optional !== true) return `the page needs ${key}`;
  }
  const missing = Object.entries(registered).find(
    ([name, { optional }]) => optional !== true && !declared.some(({ key }) => key === name),
  );
  return missing && `the page needs ${missing[0]}`;
}

type Look = Omit<SeenPage, "trouble"> & { status: number };

/** Runs in the page, whose types the server does not know. Finds what the SDK would find. */
async function lookFor({ selectors, actions }: Wanted, waitMs: number): Promise<Look> {
  const page = globalThis as unknown as InBrowser;
  const { document, performance } = page;
  const find = (selector: string): boolean | undefined => {
    try {
      let roots: Root[] = [document];
      let elements: PageElement[] = [];
      for (const step of selector.split(">>>")) {
        elements = roots.flatMap((root) => [...root.querySelectorAll(step)]);
        roots = elements.flatMap(({ shadowRoot }) => shadowRoot ?? []);
      }
      return elements.some((one) => {
        const { width, height } = one.getBoundingClientRect();
        return width > 0 && height > 0;
      });
    } catch {
      return undefined;
    }
  };
  /** The last one that was registered by a name counts, as in a call. */
  const paramsOf = (name: string): RegisteredParams | undefined => {
    const all = page.Svc?.actions?.all ?? [];
    const last = all.findLast((one) => one && Object.hasOwn(one, name))?.[name];
    return last ? (last.params ?? {}) : undefined;
  };
  const endMs = Date.now() + waitMs;
  for (;;) {
    const named = actions.flatMap((name) => {
      const params = paramsOf(name);
      return params === undefined ? [] : [[name, params] as const];
    });
    const look = {
      status: performance.getEntriesByType("navigation")[0]?.responseStatus ?? 0,
      found: Object.fromEntries(selectors.map((one) => [one, find(one)])),
      actions: Object.fromEntries(named),
      hasSnippet: "Svc" in globalThis || [...document.querySelectorAll("#svc-sdk")].length > 0,
    };
    const isAllThere =
      look.hasSnippet &&
      named.length === actions.length &&
      Object.values(look.found).every((one) => one !== false);
    if (isAllThere || look.status >= 400 || Date.now() > endMs) return look;
    await new Promise((resume) => setTimeout(resume, 100));
  }
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
  Svc?: {
    actions?: { all?: (Record<string, { params?: RegisteredParams } | null> | null)[] };
  };
}
