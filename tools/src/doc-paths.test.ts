import { expect, it } from "vitest";
import { docPaths } from "./doc-paths.ts";
import { temporaryRepository } from "./temporary-repository.ts";

function problemsOf(text: string, document = "README.md"): string[] {
  const files = { "server/src/main.ts": "", "docs/guide/start.md": "", [document]: text };
  return docPaths(temporaryRepository(files)).problems();
}

it("is content with paths and links that lead somewhere", () => {
  const text = `
\`server/src/main.ts\`, \`server/\`, \`server/src/*.ts\`, \`node server/src/main.ts --port 0\`,
[the guide](docs/guide/start.md#first), [outside](https://example.com), [below](#below), \`npm run check\`,
\`sdk/src/sdk.ts\` (later), \`docs/decisions/<date>-<title>.md\`, \`/v1/sessions.json\`, \`windowserver/x\`
\`\`\`
server/src/example.ts
\`\`\`
`;
  expect(problemsOf(text)).toEqual([]);
});

it.each(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/guide/deep/page.md"])(
  "finds a path that is not there in %s",
  (document) => {
    expect(problemsOf("one\n`server/src/gone.ts`", document)).toEqual([
      `${document}:2 names server/src/gone.ts, which is not there. Correct the path, or write "(later)" after it.`,
    ]);
  },
);

it("finds a path inside a command, and a pattern that matches nothing", () => {
  expect(problemsOf("`node tools/src/gone.ts --write`")).toHaveLength(1);
  expect(problemsOf("`server/src/*.sql`")).toHaveLength(1);
});

it("finds a path that is there by now", () => {
  expect(problemsOf("`server/src/main.ts` (later)")).toEqual([
    'README.md:1 says "(later)" of server/src/main.ts, which is there. Take the word away.',
  ]);
});

it("finds a relative link that leads nowhere, from where the document stands", () => {
  expect(problemsOf("[guide](docs/guide/gone.md)")).toHaveLength(1);
  expect(problemsOf("[guide](../guide/start.md)", "docs/operate/page.md")).toEqual([]);
  expect(problemsOf("[guide](docs/guide/start.md)", "docs/operate/page.md")).toHaveLength(1);
});

it("counts the lines of code fences when it says where", () => {
  expect(problemsOf("```\na\nb\n```\n`server/gone`")[0]).toMatch(/^README.md:5 /);
});
