import type { Page } from "../browsers/browser.ts";

/** Small enough that the edges of letters do not count, large enough that a moved button does. */
const WIDTH = 160;

/** A picture as grey values, a hundred and sixty of them a row. */
export interface Sketch {
  height: number;
  grey: number[];
}

/** Draws a PNG small, in a page. */
export async function sketch(page: Page, png: Buffer): Promise<Sketch> {
  return page.run<Sketch>(
    `const image = new Image(); image.src = "data:image/png;base64," + a;
     return image.decode().then(() => {
       const height = Math.round((image.height * b) / image.width);
       const canvas = new OffscreenCanvas(b, height);
       const context = canvas.getContext("2d");
       context.drawImage(image, 0, 0, b, height);
       const { data } = context.getImageData(0, 0, b, height);
       const grey = [];
       for (let i = 0; i < data.length; i += 4) grey.push(Math.round((data[i] + data[i + 1] + data[i + 2]) / 3));
       return { height, grey };
     });`,
    png.toString("base64"),
    WIDTH,
  );
}

/** The share of points that are clearly lighter or darker than they were. */
export function difference(one: Sketch, other: Sketch): number {
  if (one.height !== other.height) return 1;
  const differing = one.grey.filter((value, index) => Math.abs(value - other.grey[index]!) > 40);
  return differing.length / one.grey.length;
}

export function encode({ height, grey }: Sketch): string {
  return `${height} ${Buffer.from(grey).toString("base64")}`;
}

export function decode(text: string): Sketch {
  const [height = "0", grey = ""] = text.split(" ");
  return { height: Number(height), grey: [...Buffer.from(grey, "base64")] };
}
