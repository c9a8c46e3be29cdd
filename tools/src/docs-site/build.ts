import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { docsSite } from "./site.ts";

/** `npm run docs`: writes the documents as a site into dist/docs. */
const root = resolve(import.meta.dirname, "../../..");
const target = join(root, "dist/docs");
const site = docsSite(root);
const dead = await site.deadLinks();
if (dead.length > 0) {
  console.error(`The site was not written.\n${dead.join("\n")}\nCorrect these links.`);
  process.exit(1);
}
await rm(target, { recursive: true, force: true });
const paths = site.paths();
for (const path of paths) {
  await mkdir(dirname(join(target, path)), { recursive: true });
  await writeFile(join(target, path), (await site.read(path))!);
}
console.log(`${paths.length} files in dist/docs. Serve that folder with any web server.`);
