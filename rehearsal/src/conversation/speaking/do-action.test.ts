import { expect, test } from "vitest";
import { INSTRUCTIONS, replyTo } from "../talk-under-test.ts";
import type { Said, TalkOptions } from "../talk-under-test.ts";

const ADD_JOB = {
  name: "add-job",
  describe: "Adds a job to today's board.",
  do_when: "The visitor would like to try it.",
  params: { customer: { type: "string" } },
  confirm: true,
};
const instructions = INSTRUCTIONS.replace(
  "# Content",
  `# Actions\n${JSON.stringify(ADD_JOB)}\n# Content`,
);
const offered = { offered: ["add-job"], last: {} };

function directions(said: Said, options: TalkOptions = {}): string[] {
  const { text } = replyTo(said, { instructions, actions: offered, ...options });
  return [...text.matchAll(/⟦(do [^⟧]*)⟧/g)].map(([, direction]) => direction!);
}

test.each([
  ["Add a job for the Harbour Café, please.", "Harbour Café"],
  ["Could you add a job for Mr. Smith?", "Mr. Smith"],
  ["Can I try it?", "Velomax"],
])("has the page do what is wished: %s", (said, customer) => {
  expect(directions([said])).toEqual([`do add-job ${JSON.stringify({ customer })}`]);
});

test("does nothing that is only asked about, told, or not offered by this page", () => {
  expect(directions(["How do I add a job to the board?"])).toEqual([]);
  expect(directions(["Can I see the board of today?"])).toEqual([]);
  const asked = "⟦ask riders⟧ How many people in your family would ride it?";
  expect(directions([asked, "We add every job to a board on the wall."])).toEqual([]);
  const none = { offered: [], last: {} };
  expect(directions(["Add a job for Ada, please."], { actions: none })).toEqual([]);
});

test("tells what came of it, with what the page said", () => {
  const events = ["The action add-job is over: the state tells what came of it."];
  const told = (state: string, result?: string): string => {
    const last = { "add-job": { state, ...(result !== undefined && { result }) } };
    return replyTo([""], { instructions, events, actions: { offered: ["add-job"], last } }).text;
  };
  expect(told("done", "Crew Harbour has the job.")).toMatch(/\. Crew Harbour has the job\./);
  expect(told("declined")).toMatch(/leave it|nothing was changed/);
  expect(told("failed")).toMatch(/[Ss]orry/);
});
