import { describe, expect, it } from "vitest";
import type { Message } from "../language-model/chat-request.ts";
import { playVisitor } from "./play-visitor.ts";

const message = (role: Message["role"], text: string): Message => ({
  role,
  text,
  calls: [],
  callId: undefined,
});
const part = (knows: string): Message =>
  message(
    "system",
    `You play a visitor.\n# Visitor\n${JSON.stringify({ language: "en", wants: "What is it? Is it safe?", knows })}`,
  );
const card = (kind: string): Message => message("system", `Open card: ${kind}. What do you do?`);

describe("playing a visitor", () => {
  it("says what they want, answers what they are asked, and leaves", () => {
    const talk = [part("We are ten. In May."), message("user", "Hello.")];
    const replies = ["Good. How many are you?", "Fine. And when?", "Well.", "Bye."];
    const said = replies.map((reply) => {
      const move = playVisitor([...talk, card("none")]);
      talk.push(message("assistant", move!.words), message("user", reply));
      return move!.words;
    });
    expect(said).toEqual(["What is it?", "We are ten.", "In May.", "Is it safe?"]);
    expect(playVisitor([...talk, card("none")])).toEqual({ does: "leaves", words: "" });
  });

  it("confirms an address that they know, and closes the card otherwise", () => {
    expect(playVisitor([part("I am ada@example.com."), card("email")])).toEqual({
      does: "confirms_email",
      words: "ada@example.com",
    });
    expect(playVisitor([part("Nothing."), card("email")])?.does).toBe("dismisses_card");
  });

  it("is nobody without a part", () => {
    expect(playVisitor([message("system", "You are a guide.")])).toBeUndefined();
  });
});
