import { readdir, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parse } from "yaml";
import { FixtureFile } from "./fixture.ts";
import type { Fixture } from "./fixture.ts";

const FOLDER = new URL("fixtures/", import.meta.url);

/** All fixtures, by name. They ship with the server, so that a model can be tried wherever it runs. */
export async function loadFixtures(): Promise<Fixture[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(".yaml")).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const yaml: unknown = parse(await readFile(new URL(file, FOLDER), "utf8"));
      return { name: basename(file, ".yaml"), ...FixtureFile.parse(yaml) };
    }),
  );
}
