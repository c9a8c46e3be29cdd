import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as schemas from "@svc/contract/schemas";
import type { Tour } from "@svc/contract/types";
import { expect, onTestFinished, test } from "vitest";
import { AgentFileError } from "../file/mistake.ts";
import { readAgent } from "../file/read-agent.ts";
import type { AgentSource } from "../file/read-agent.ts";
import { findShown } from "./shown-name.ts";

const PNG = Buffer.from("89504e470d0a1a0a00", "hex");
const AGENT = `name: Ada
languages: { en: , de: , fr: }
content:
  - { id: booking, title: A booking, kind: tour, file: content/booking/tour.yaml }
`;

async function read(tour: string, pictures: string[], agent = AGENT): Promise<AgentSource> {
  const root = await mkdtemp(join(tmpdir(), "svc-tour-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const files = { "agent.yaml": agent, "content/booking/tour.yaml": tour };
  const all: [string, string | Buffer][] = [
    ...Object.entries(files),
    ...pictures.map((name): [string, Buffer] => [
      `content/booking/${name}`,
      Buffer.concat([PNG, Buffer.from(name)]),
    ]),
  ];
  for (const [path, content] of all) {
    await mkdir(dirname(join(root, "guide", path)), { recursive: true });
    await writeFile(join(root, "guide", path), content);
  }
  return readAgent(join(root, "guide"), "guide");
}

async function mistakes(...given: Parameters<typeof read>): Promise<string[]> {
  const error: unknown = await read(...given).catch((thrown: unknown) => thrown);
  if (!(error instanceof AgentFileError)) throw error;
  return error.mistakes.map(({ file, line, field, message }) =>
    [file.replace("guide/content/booking/", ""), line, field, message].join(" "),
  );
}

test("a tour has its texts and pictures in every language that it names", async () => {
  const tour = `
steps:
  - picture: 1.png
    caption: { en: The board., de: Die Tafel. }
    hotspot: { x: 10, y: 20, width: 30, height: 5 }
    callouts:
      - { x: 1, y: 2, title: { en: Crews, de: Teams }, text: "42" }
  - { picture: 2.png, caption: { en: Done., de: Fertig. } }
`;
  const pictures = ["1.png", "1.de.png", "1.dark.png", "2.png"];
  const { config, files, unused } = await read(tour, pictures);
  const [booking] = config.content;
  expect(unused).toEqual([]);
  expect(booking).toMatchObject({ kind: "tour", steps: ["The board. · Crews: 42", "Done."] });
  expect(booking!.languages).toMatchObject([
    { code: "de", steps: ["Die Tafel. · Teams: 42", "Fertig."] },
  ]);
  const hash = (name: string): string =>
    files.find(({ path }) => path === `content/booking/${name}`)!.sha256;
  const slide = ({ sha256 }: { sha256: string }): Tour =>
    schemas.Tour.parse(JSON.parse(files.find((file) => file.sha256 === sha256)!.bytes.toString()));
  const [english, german] = [booking, booking!.languages![0]].map((one) =>
    slide((one as { slide: { sha256: string } }).slide),
  );
  expect(english!.steps[0]).toMatchObject({
    lead: "The board.",
    image: { file: hash("1.png") },
    dark: { file: hash("1.dark.png") },
    hotspot: { x: 10, y: 20, width: 30, height: 5 },
  });
  expect(german!.steps[0]).toMatchObject({ image: { file: hash("1.de.png") }, lead: "Die Tafel." });
  expect(german!.steps[1]).toMatchObject({ image: { file: hash("2.png") } });
  expect(findShown(config.content, "booking")).toMatchObject({ step: { at: 1, of: 2 } });
  expect(findShown(config.content, "booking/2")).toMatchObject({ step: { at: 2, of: 2 } });
  for (const name of ["booking/0", "booking/3", "other/1"])
    expect(findShown(config.content, name)).toBeUndefined();
});

test("each mistake in a tour is named with its file, line and field", async () => {
  const wrong = `steps:
  - picture: one.png
    caption: { de: Hier., fr: Ici. }
  - picture: 1.png
    caption: { en: Here., de: Hier. }
  - picture: 1.png
    caption: Here.
`;
  expect(await mistakes(wrong, ["1.png"])).toEqual([
    "tour.yaml 3 steps[0].caption There is no text in en here, and en is the agent's default language. Add it.",
    "tour.yaml 5 steps[1].caption There is no text in fr here, and other texts of this tour have one. Add it.",
  ]);
  expect(await mistakes("steps:\n  - { picture: one.png, caption: Here. }\n", ["1.png"])).toEqual([
    "tour.yaml 2 steps[0].picture There is no file content/booking/one.png in the agent's folder. Did you mean `content/booking/1.png`?",
  ]);
  const box = "{ x: 90, y: 2, width: 20, height: 3 }";
  expect(
    await mistakes(
      `steps:
  - { picture: 1.png, caption: Here., hotspot: ${box}, zom: ${box} }
  - picture: 1.png
`,
      ["1.png"],
    ),
  ).toEqual([
    "tour.yaml 2 steps[0].hotspot.width This reaches beyond the picture, which ends at 100. Make it smaller.",
    "tour.yaml 2 steps[0].zom This key is not known here. Did you mean `zoom`?",
    "tour.yaml 3 steps[1].caption This is missing. Write a text.",
  ]);
  const last = `steps:\n  - { picture: 1.png, caption: A, hotspot: { x: 1, y: 2, width: 3, height: 4 } }\n`;
  expect(await mistakes(last, ["1.png"])).toEqual([
    "tour.yaml 2 steps[0].hotspot Nothing follows the last step, so a click leads nowhere. Remove this.",
  ]);
});

test("a tour has no second file for another language", async () => {
  const own = AGENT.replace("tour.yaml }", "tour.yaml, languages: { de: { file: a.yaml } } }");
  expect(await mistakes("steps:\n  - { picture: 1.png, caption: A }\n", ["1.png"], own)).toEqual([
    "guide/agent.yaml 4 content[0].languages.de.file A tour has the texts of all languages in its own file. Write them there.",
  ]);
});
