import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { loaderSnippet, shortSnippet } from "./loader-snippet.ts";

interface FakePage {
  window: { SvcConfig?: { agentId: string }; Svc?: SvcStandIn };
  document: unknown;
  scripts: { id?: string; src?: string }[];
}

interface SvcStandIn {
  waiting: unknown[][];
  startDemo(): Promise<unknown>;
  widget: { configure(config: object): void; show(): void };
}

function openPage(): FakePage {
  const scripts: FakePage["scripts"] = [];
  const document = {
    getElementById: (id: string) => scripts.find((one) => one.id === id) ?? null,
    createElement: () => ({}),
    head: { appendChild: (script: object) => scripts.push(script) },
  };
  return { window: {}, document, scripts };
}

function paste({ window, document }: FakePage, snippet: string): void {
  runInNewContext(snippet.slice("<script>".length, -"</script>".length), { window, document });
}

describe.each([
  ["the snippet", loaderSnippet],
  ["the short snippet", shortSnippet],
])("%s", (_name, print) => {
  it("loads the SDK for its agent", () => {
    const page = openPage();
    paste(page, print("https://svc.example.com", "agent_one"));
    expect(page.window.SvcConfig).toEqual({ agentId: "agent_one" });
    expect(page.scripts).toMatchObject([
      { id: "svc-sdk", src: "https://svc.example.com/sdk/sdk.js" },
    ]);
  });

  it("does nothing a second time, not even to the configuration", () => {
    const page = openPage();
    paste(page, print("https://svc.example.com", "agent_one"));
    paste(page, print("https://svc.example.com", "agent_two"));
    expect(page.window.SvcConfig).toEqual({ agentId: "agent_one" });
    expect(page.scripts).toHaveLength(1);
  });
});

it("takes calls right after it, and keeps them in order", () => {
  const page = openPage();
  paste(page, loaderSnippet("https://svc.example.com", "agent_one"));
  const svc = page.window.Svc!;
  svc.widget.configure({ ctaText: "Hello" });
  svc.widget.show();
  void svc.startDemo();
  const names = svc.waiting.map(([name]) => name);
  expect(names).toEqual(["ready", "widget.configure", "widget.show", "startDemo"]);
});

it("has a stand-in for every method that sdk.d.ts declares", () => {
  const page = openPage();
  paste(page, loaderSnippet("https://svc.example.com", "agent_one"));
  const types = join(import.meta.dirname, "../../../../sdk/src/published/sdk.d.ts");
  const declared = readFileSync(types, "utf8")
    .split("  interface ")
    .filter((text) => /^Svc(?:SDK|Widget|Hero|PageActions) /.test(text))
    .flatMap((text) => [...text.matchAll(/^ {4}(\w+)[(<]/gm)].map(([, name]) => name!));
  const {
    widget,
    hero,
    actions,
    waiting: _,
    ready: __,
    ...methods
  } = { hero: {}, actions: {}, ready: 0, ...page.window.Svc! };
  const stand = [methods, widget, hero, actions].flatMap((one) => Object.keys(one));
  expect(stand.toSorted()).toEqual(declared.toSorted());
});

it("stands in the installation guide as it is printed", () => {
  const guide = join(import.meta.dirname, "../../../../docs/guide/install.md");
  const text = readFileSync(guide, "utf8");
  for (const print of [loaderSnippet, shortSnippet])
    expect(text).toContain(print("https://svc.example.com", "agent_…"));
});
