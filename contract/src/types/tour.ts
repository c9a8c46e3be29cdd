/** `tour.yaml`: pictures of a product in the order in which they are shown. Only `steps` is required. */
export interface TourFile {
  /** One picture each. The agent shows a step while it speaks of it, and visitors may go ahead or back. */
  steps: TourStep[];
}

/** One picture of a tour. */
export interface TourStep {
  /**
   * The picture, by its path from this file. `board.de.png` beside `board.png` is shown to visitors of that language, and
   * `board.dark.png` where the call is dark.
   */
  picture: string;
  /** What visitors read above it, in large letters. Default: the title of the content. */
  title?: TourText;
  /** What is to be seen, in a sentence. The agent reads it too. */
  caption: TourText;
  /** What was clicked in the product. A click on it leads to the next step. */
  hotspot?: TourBox;
  /** The part that is drawn large. Default: all of the picture. */
  zoom?: TourBox;
  /** Numbered places of the picture. */
  callouts?: TourCallout[];
}

/** A text, or one for each language under its code. */
export type TourText = string | Record<string, string>;

/** A part of a picture, in percent of its width and height. */
export interface TourBox {
  /** In percent from the left. */
  x: number;
  /** In percent from the top. */
  y: number;
  /** Width, in percent of the picture. */
  width: number;
  /** Height, in percent of the picture. */
  height: number;
}

/** A numbered place of a picture. */
export interface TourCallout {
  /** In percent from the left. */
  x: number;
  /** In percent from the top. */
  y: number;
  /** What it is. */
  title: TourText;
  /** More about it. */
  text?: TourText;
}
