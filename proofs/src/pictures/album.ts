import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Browser, Page } from "../browsers/browser.ts";

/** Small enough that the edges of letters do not count, large enough that a moved button does. */
const WIDTH = 160;
const REFERENCES = join(import.meta.dirname, "references.json.gz");

/** Takes a picture into the album. */
export type Take = (name: string, png: Buffer) => Promise<void>;

/** A picture as grey values, a hundred and sixty of them a row. */
interface Sketch {
  height: number;
  grey: number[];
}

interface References {
  /** Letters of another font stand elsewhere. */
  fonts: string;
  /** By name: the height, and the grey values in base64. */
  pictures: Record<string, string>;
}

/** Pictures that were taken, for comparison with those that somebody has looked at. */
export class Album {
  /** A page that draws pictures small. */
  readonly #table: Page;
  readonly #sketches = new Map<string, Sketch>();
  /** Pictures of planted faults, which have no references. */
  readonly #planted = new Map<string, Sketch>();

  private constructor(table: Page) {
    this.#table = table;
  }

  static async open(browser: Browser): Promise<Album> {
    return new Album(await browser.newPage());
  }

  get size(): number {
    return this.#sketches.size;
  }

  async add(name: string, png: Buffer): Promise<void> {
    const sketch = await this.#table.run(drawSmall, png.toString("base64"), WIDTH);
    (name.startsWith("planted-") ? this.#planted : this.#sketches).set(name, sketch);
  }

  /** The share of points that are clearly lighter or darker in one picture than in another. */
  difference(one: string, other: string): number {
    const all = new Map([...this.#sketches, ...this.#planted]);
    return difference(all.get(one)!, all.get(other)!);
  }

  /** By how much each picture differs from its reference. Undefined on a machine with other fonts. */
  async compare(): Promise<Map<string, number> | undefined> {
    const { fonts, pictures } = JSON.parse(
      gunzipSync(await readFile(REFERENCES)).toString(),
    ) as References;
    if (fonts !== (await fontsHere())) return undefined;
    const shares = [...this.#sketches].map(([name, sketch]): [string, number] => {
      const [height = "0", grey = ""] = pictures[name]?.split(" ") ?? [];
      const reference = { height: Number(height), grey: [...Buffer.from(grey, "base64")] };
      return [name, difference(reference, sketch)];
    });
    return new Map(shares);
  }

  /** These pictures are the references from now on. */
  async keep(): Promise<void> {
    const pictures = [...this.#sketches].map(([name, { height, grey }]) => [
      name,
      `${height} ${Buffer.from(grey).toString("base64")}`,
    ]);
    const references = { fonts: await fontsHere(), pictures: Object.fromEntries(pictures) };
    await writeFile(REFERENCES, gzipSync(JSON.stringify(references), { level: 9 }));
  }
}

function difference(one: Sketch, other: Sketch): number {
  if (one.height !== other.height) return 1;
  const differing = one.grey.filter((value, index) => Math.abs(value - other.grey[index]!) > 40);
  return differing.length / one.grey.length;
}

/** What the pages' fonts come down to on this machine. */
async function fontsHere(): Promise<string> {
  const families = ["system-ui", "Georgia", "Arial", "monospace"].map(async (family) => {
    const { stdout } = await promisify(execFile)("fc-match", ["-f", "%{family}", family]);
    return stdout;
  });
  return (await Promise.all(families)).join(", ");
}

/** Runs in a page. */
async function drawSmall(png: string, width: number): Promise<Sketch> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const height = Math.round((image.height * width) / image.width);
  const context = new OffscreenCanvas(width, height).getContext("2d")!;
  context.drawImage(image, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  const grey: number[] = [];
  for (let at = 0; at < data.length; at += 4)
    grey.push(Math.round((data[at]! + data[at + 1]! + data[at + 2]!) / 3));
  return { height, grey };
}
