import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { decode, difference, encode } from "./compare.ts";
import type { Sketch } from "./compare.ts";

/** The share of a picture that may differ: another version of a font moves a few letters. */
export const MOST_DIFFERENT = 0.06;

export interface Compared {
  /** How many pictures differ by more than that, or have no reference. */
  wrong: number;
  /** The largest share that differs. */
  most: number;
}

interface References {
  /** Letters of another font stand elsewhere. */
  fonts: string;
  pictures: Record<string, string>;
}

/** What the pages' fonts come down to on this machine. */
async function fontsHere(): Promise<string> {
  const families = ["system-ui", "Georgia", "Arial", "monospace"].map(async (family) => {
    const { stdout } = await promisify(execFile)("fc-match", ["-f", "%{family}", family]);
    return stdout;
  });
  return (await Promise.all(families)).join(", ");
}

/** Compares pictures with those that somebody has looked at; with `write`, these are they from now on. */
export async function compareWithReferences(
  drawn: Map<string, Sketch>,
  file: string,
  { write, say }: { write: boolean; say: (line: string) => void },
): Promise<Compared> {
  const fonts = await fontsHere();
  if (write) {
    const pictures = Object.fromEntries(
      [...drawn].map(([name, picture]) => [name, encode(picture)]),
    );
    await writeFile(file, gzipSync(JSON.stringify({ fonts, pictures }), { level: 9 }));
  }
  const { fonts: drawnWith, pictures: references } = existsSync(file)
    ? (JSON.parse(gunzipSync(await readFile(file)).toString()) as References)
    : { fonts, pictures: {} };
  if (drawnWith !== fonts) {
    say(`not compared: drawn with ${drawnWith}, and here is ${fonts}`);
    return { wrong: 0, most: 0 };
  }
  const shares = [...drawn].map(([name, picture]) => {
    const reference = references[name];
    return [name, reference === undefined ? 1 : difference(decode(reference), picture)] as const;
  });
  const wrong = shares.filter(([, share]) => share > MOST_DIFFERENT);
  for (const [name, share] of wrong) say(`${name}: ${(share * 100).toFixed(1)} % differ`);
  return { wrong: wrong.length, most: Math.max(...shares.map(([, share]) => share)) };
}
