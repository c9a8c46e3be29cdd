import * as z from "zod";
import type * as types from "../types/index.ts";
import { schemaOf } from "./schema-of.ts";
import { TourBox } from "./tour.ts";

const text = z.string();
const frame = {
  title: text.exactOptional(),
  lead: text.exactOptional(),
  note: text.exactOptional(),
};
const percent = z.number().min(0).max(100);
const index = z.int().min(0);
const pixels = z.int().min(1);

export const TitleSlide: z.ZodType<types.TitleSlide> = schemaOf<types.TitleSlide>()(
  z.strictObject({ kind: z.literal("title"), ...frame }),
);

export const SlideBar: z.ZodType<types.SlideBar> = schemaOf<types.SlideBar>()(
  z.strictObject({ label: text, value: text, share: z.number().min(0).max(1) }),
);

export const NumberSlide: z.ZodType<types.NumberSlide> = schemaOf<types.NumberSlide>()(
  z.strictObject({
    kind: z.literal("number"),
    ...frame,
    figure: text,
    unit: text.exactOptional(),
    bars: z.array(SlideBar).exactOptional(),
  }),
);

export const QuoteSlide: z.ZodType<types.QuoteSlide> = schemaOf<types.QuoteSlide>()(
  z.strictObject({
    kind: z.literal("quote"),
    ...frame,
    quote: text,
    name: text.exactOptional(),
    role: text.exactOptional(),
  }),
);

export const SlidePoint: z.ZodType<types.SlidePoint> = schemaOf<types.SlidePoint>()(
  z.strictObject({ title: text, text: text.exactOptional() }),
);

export const StepsSlide: z.ZodType<types.StepsSlide> = schemaOf<types.StepsSlide>()(
  z.strictObject({ kind: z.literal("steps"), ...frame, steps: z.array(SlidePoint) }),
);

export const ComparisonSlide: z.ZodType<types.ComparisonSlide> = schemaOf<types.ComparisonSlide>()(
  z.strictObject({
    kind: z.literal("comparison"),
    ...frame,
    sides: z.array(z.strictObject({ title: text, points: z.array(text) })),
  }),
);

export const TableSlide: z.ZodType<types.TableSlide> = schemaOf<types.TableSlide>()(
  z.strictObject({
    kind: z.literal("table"),
    ...frame,
    head: z.array(text),
    rows: z.array(
      z.strictObject({ cells: z.array(text), isMarked: z.literal(true).exactOptional() }),
    ),
    figures: z.array(index).exactOptional(),
  }),
);

const tokenType = z.enum([
  "comment",
  "constant",
  "function",
  "keyword",
  "link",
  "parameter",
  "punctuation",
  "string",
]);

export const CodeSlide: z.ZodType<types.CodeSlide> = schemaOf<types.CodeSlide>()(
  z.strictObject({
    kind: z.literal("code"),
    ...frame,
    language: text.exactOptional(),
    lines: z.array(z.array(z.tuple([text, tokenType.exactOptional()]))),
    marked: z.array(index).exactOptional(),
  }),
);

export const SlideImage: z.ZodType<types.SlideImage> = schemaOf<types.SlideImage>()(
  z.strictObject({
    file: text,
    alt: text.exactOptional(),
    width: pixels.exactOptional(),
    height: pixels.exactOptional(),
    min_width: pixels.exactOptional(),
  }),
);

export const SlideCallout: z.ZodType<types.SlideCallout> = schemaOf<types.SlideCallout>()(
  z.strictObject({ x: percent, y: percent, title: text, text: text.exactOptional() }),
);

export const ScreenshotSlide: z.ZodType<types.ScreenshotSlide> = schemaOf<types.ScreenshotSlide>()(
  z.strictObject({
    kind: z.literal("screenshot"),
    ...frame,
    image: SlideImage,
    dark: SlideImage.exactOptional(),
    callouts: z.array(SlideCallout).exactOptional(),
    hotspot: TourBox.exactOptional(),
    zoom: TourBox.exactOptional(),
  }),
);

export const Tour: z.ZodType<types.Tour> = schemaOf<types.Tour>()(
  z.strictObject({ steps: z.array(ScreenshotSlide) }),
);

export const VideoSlide: z.ZodType<types.VideoSlide> = schemaOf<types.VideoSlide>()(
  z.strictObject({
    kind: z.literal("video"),
    ...frame,
    video: text,
    chapters: z.array(z.strictObject({ at_secs: index, title: text })).exactOptional(),
  }),
);
