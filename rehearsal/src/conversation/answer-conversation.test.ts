import { expect, test } from "vitest";
import { conversationAnswerer } from "./answer-conversation.ts";

const answer = conversationAnswerer([
  {
    name: "guide.yaml",
    script: {
      about: "a test",
      answers: [
        { when: ["price", "how much"], say: "Ninety euros." },
        {
          when: ["show me"],
          say: "Look.",
          call: { tool: "show_content", arguments: { id: "a" } },
          afterwards: "There it is.",
        },
      ],
    },
  },
]);
const said = { afterTool: false, tools: ["show_content"] };

test("the first answer whose words were said is given", () => {
  expect(answer({ ...said, lastUserText: "And HOW  much is it?" }).text).toBe("Ninety euros.");
  expect(answer({ ...said, lastUserText: "It is priceless" }).by).toBe("rules");
});

test("a tool is called, and spoken about afterwards", () => {
  const lastUserText = "Show me that";
  expect(answer({ ...said, lastUserText })).toEqual({
    text: "Look.",
    call: { tool: "show_content", arguments: { id: "a" } },
    by: "guide.yaml",
  });
  expect(answer({ ...said, lastUserText, afterTool: true }).text).toBe("There it is.");
});

test("without the tool it says both at once", () => {
  const spoken = answer({ lastUserText: "Show me", afterTool: false, tools: [] });
  expect(spoken).toEqual({ text: "Look. There it is.", by: "guide.yaml" });
});

test("what no script knows is admitted in the visitor's language", () => {
  const textTo = (lastUserText?: string) => answer({ ...said, lastUserText }).text;
  expect(textTo("Wie ist das denn mit der Zeit?")).toMatch(/^Ich weiß nicht mehr/);
  expect(textTo("???")).toMatch(/^I know no more/);
  expect(textTo()).toMatch(/^Hello/);
});
