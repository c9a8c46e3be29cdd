import type { AgentFacts } from "@svc/contract/types";
import { beforeEach, expect, test, vi } from "vitest";
import type { Frame } from "../call/frame.ts";
import { fakeDocument } from "../core/page-under-test.ts";
import type { FakeElement } from "../core/page-under-test.ts";
import { endedScreen } from "./ended-screen.ts";
import { en } from "./card-words.ts";

beforeEach(() => {
  vi.stubGlobal("document", fakeDocument());
});

function copyButton(navigator: object): FakeElement | undefined {
  vi.stubGlobal("navigator", navigator);
  const screen = endedScreen({
    frame: { addStyle: () => {} } as unknown as Frame,
    agent: { brand: { name: "Linden" } } as AgentFacts,
    language: "en",
    reason: "agent_ended",
    email: undefined,
    transcript: "Hello.",
    send: () => {},
  }) as unknown as FakeElement;
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
