import type { AgentFacts } from "@svc/contract/types";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Frame } from "../call/frame.ts";
import { fakeDocument } from "../core/page-under-test.ts";
import type { FakeElement } from "../core/page-under-test.ts";
import { endedScreen } from "./ended-screen.ts";
import type { EndedScreen } from "./ended-screen.ts";
import { en } from "./card-words.ts";

beforeEach(() => {
  vi.stubGlobal("document", fakeDocument());
});

function ended(options: { email?: string; language?: string } = {}) {
  return endedScreen({
    frame: { addStyle: () => {} } as unknown as Frame,
    agent: { brand: { name: "Linden" } } as AgentFacts,
    language: "en",
    reason: "agent_ended",
    email: undefined,
    transcript: "Hello.",
    send: () => {},
    ...options,
  });
}

/** What the visitor reads of what comes next. */
function next(screen: EndedScreen): string {
  const { all } = screen.element as unknown as FakeElement;
  return all.find(({ className }) => className === "lead")!.textContent;
}

describe("goodbye", () => {
  beforeEach(() => vi.stubGlobal("navigator", {}));

  test.each([
    ["en", "We noted", "We'll write to"],
    ["de", "notiert", "Wir schreiben an"],
    ["fr", "Nous avons noté", "Nous vous écrirons à"],
    ["es", "Hemos anotado", "Le escribiremos a"],
  ])("promises a mail only when the server says so: %s", (language, noted, promise) => {
    const screen = ended({ language, email: "ada@example.com" });
    expect(next(screen)).toContain(noted);
    expect(next(screen)).toContain("ada@example.com");
    expect(next(screen)).not.toContain(promise);
    screen.mailGoesTo("ada@example.com");
    expect(next(screen)).toContain(`${promise} ada@example.com`);
    expect(next(screen)).not.toContain(noted);
  });

  test("says nothing of mail to a visitor who gave no address", () => {
    expect(next(ended())).toBe(`${en.reasons.agent_ended} ${en.nextWithoutEmail}`);
  });
});

function copyButton(navigator: object): FakeElement | undefined {
  vi.stubGlobal("navigator", navigator);
  const screen = ended().element as unknown as FakeElement;
  return screen.all.find(({ textContent }) => textContent === en.copy);
}

test("the conversation can be copied", async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
  const button = copyButton({ clipboard: { writeText } })!;
  button.onclick!();
  await vi.waitFor(() => expect(button.textContent).toBe(en.copied));
  expect(writeText).toHaveBeenCalledWith("Hello.");
});

test("without a clipboard there is no button for it", () => {
  expect(copyButton({})).toBeUndefined();
});

test("where the browser refuses, the button says so", async () => {
  const writeText = (): Promise<void> => Promise.reject(new DOMException("no", "NotAllowedError"));
  const button = copyButton({ clipboard: { writeText } })!;
  button.onclick!();
  await vi.waitFor(() => expect(button.textContent).toBe(en.notCopied));
});
