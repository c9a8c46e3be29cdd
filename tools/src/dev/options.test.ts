import { expect, test } from "vitest";
import { ExplainedError } from "./explained-error.ts";
import { readOptions } from "./options.ts";

test("without flags it uses the usual ports and keeps the data", () => {
  expect(readOptions([], {})).toEqual({ port: 8080, pagePort: 8000, fresh: false });
});

test("a flag wins over the environment", () => {
  const environment = { SVC_DEV_PORT: "9000", SVC_DEV_PAGE_PORT: "9001" };
  expect(readOptions(["--port", "9100", "--fresh"], environment)).toEqual({
    port: 9100,
    pagePort: 9001,
    fresh: true,
  });
});

test.for([
  [["--port", "http"], "must be a number"],
  [["--port", "0"], "must be a number"],
  [["--port", "65536"], "must be a number"],
  [["--port", "8000"], "cannot share port 8000"],
  [["--frsh"], "--frsh"],
  [["now"], "now"],
] as const)("%j is explained", ([argv, words]) => {
  const read = (): unknown => readOptions([...argv], {});
  expect(read).toThrow(ExplainedError);
  expect(read).toThrow(expect.objectContaining({ why: expect.stringContaining(words) as string }));
});

test("help asks for nothing else", () => {
  expect(readOptions(["--help"], {})).toBeUndefined();
});
