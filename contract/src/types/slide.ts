import type { TourBox } from "./tour.ts";

/**
 * A slide as data: what `svc agents apply` makes of a file, and what the call draws. Texts hold emphasis, code and
 * links as Markdown. Files are named by their hash, and lie beside the slide's own address.
 */
export type Slide =
  | TitleSlide
  | NumberSlide
  | QuoteSlide
  | StepsSlide
  | ComparisonSlide
  | TableSlide
  | CodeSlide
  | ScreenshotSlide
  | VideoSlide;

export type SlideKind = Slide["kind"];

/** What stands above and below every kind. Without a title, the content's own is shown. */
interface SlideFrame {
  title?: string;
  /** A sentence under the title. */
  lead?: string;
  /** In small letters below: a source, a condition. */
  note?: string;
}

/** An opening, or the beginning of a part. */
export interface TitleSlide extends SlideFrame {
  kind: "title";
}

/** One figure, large. */
export interface NumberSlide extends SlideFrame {
  kind: "number";
  /** `38` of `38 min`. */
  figure: string;
  unit?: string;
  bars?: SlideBar[];
}

export interface SlideBar {
  label: string;
  /** What is read beside the bar. */
  value: string;
  /** Its length as a part of the longest one, above 0 and at most 1. */
  share: number;
}

/** What a customer says. */
export interface QuoteSlide extends SlideFrame {
  kind: "quote";
  quote: string;
  name?: string;
  role?: string;
}

export interface StepsSlide extends SlideFrame {
  kind: "steps";
  steps: SlidePoint[];
}

export interface SlidePoint {
  title: string;
  text?: string;
}

/** Two or three sides. The last one is what the slide speaks for. */
export interface ComparisonSlide extends SlideFrame {
  kind: "comparison";
  sides: { title: string; points: string[] }[];
}

export interface TableSlide extends SlideFrame {
  kind: "table";
  head: string[];
  rows: { cells: string[]; isMarked?: true }[];
  /** The columns with figures, which are aligned at their end, by their index. */
  figures?: number[];
}

/** Each piece of a line may say what it is. */
export interface CodeSlide extends SlideFrame {
  kind: "code";
  /** As its author wrote it: `html`, `bash`. */
  language?: string;
  lines: SlideToken[][];
  /** The lines that stand out, from 0. */
  marked?: number[];
}

/** A piece of code, and what it is. */
export type SlideToken = [text: string, type?: SlideTokenType];

export type SlideTokenType =
  | "comment"
  | "constant"
  | "function"
  | "keyword"
  | "link"
  | "parameter"
  | "punctuation"
  | "string";

/** A picture with numbered places. An image of the content is one without any. */
export interface ScreenshotSlide extends SlideFrame {
  kind: "screenshot";
  image: SlideImage;
  /** In its place where the call is dark. */
  dark?: SlideImage;
  callouts?: SlideCallout[];
  /** In a tour: a click on it leads to the next step. */
  hotspot?: TourBox;
  /** In a tour: the part that is drawn large. */
  zoom?: TourBox;
}

/** A tour as data. Each step is drawn as a slide. */
export interface Tour {
  steps: ScreenshotSlide[];
}

export interface SlideImage {
  file: string;
  alt?: string;
  /** In pixels, as far as the file tells. */
  width?: number;
  height?: number;
  /** Drawn narrower than this, its texts cannot be read: it is moved in its frame instead. */
  min_width?: number;
}

export interface SlideCallout extends SlidePoint {
  /** In percent from the left and from the top. */
  x: number;
  y: number;
}

export interface VideoSlide extends SlideFrame {
  kind: "video";
  video: string;
  chapters?: { at_secs: number; title: string }[];
}
