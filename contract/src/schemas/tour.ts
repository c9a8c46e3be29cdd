import * as z from "zod";
import type * as types from "../types/index.ts";
import { filePath, languageCode, mapOf, oneLine, prose } from "./agent-values.ts";
import { schemaOf } from "./schema-of.ts";

/** A new schema for each field: fields that shared one would share its description in the JSON Schema. */
const percent = (): z.ZodNumber => z.number().min(0).max(100);
const size = (): z.ZodNumber => z.number().min(0.1).max(100);

/** A value that is no map is validated as a text, so that its error message explains texts. */
function textOf(text: z.ZodString): z.ZodUnion<[z.ZodString, z.ZodType<Record<string, string>>]> {
  return z.union([text, mapOf(languageCode, text, [1, 50])]);
}

export const TourBox: z.ZodType<types.TourBox> = schemaOf<types.TourBox>()(
  z.strictObject({ x: percent(), y: percent(), width: size(), height: size() }).superRefine(
    ({ x, y, width, height }, context) => {
      const complain = (side: "width" | "height"): void =>
        context.addIssue({
          code: "custom",
          path: [side],
          message: "This reaches beyond the picture, which ends at 100. Make it smaller.",
        });
      // Boxes are rounded when they are recorded.
      if (x + width > 100.05) complain("width");
      if (y + height > 100.05) complain("height");
    },
    { when: ({ issues }) => issues.length === 0 },
  ),
);

export const TourCallout: z.ZodType<types.TourCallout> = schemaOf<types.TourCallout>()(
  z.strictObject({
    x: percent(),
    y: percent(),
    title: textOf(oneLine(80)),
    text: textOf(prose(300)).exactOptional(),
  }),
);

export const TourStep: z.ZodType<types.TourStep> = schemaOf<types.TourStep>()(
  z.strictObject({
    picture: filePath("board.png"),
    title: textOf(oneLine(120)).exactOptional(),
    caption: textOf(prose(300)),
    hotspot: TourBox.exactOptional(),
    zoom: TourBox.exactOptional(),
    callouts: z.array(TourCallout).max(9).exactOptional(),
  }),
);

export const TourFile: z.ZodType<types.TourFile> = schemaOf<types.TourFile>()(
  z.strictObject({ steps: z.array(TourStep).min(1).max(50) }).superRefine(
    ({ steps }, context) => {
      const last = steps.length - 1;
      if (steps[last]?.hotspot !== undefined)
        context.addIssue({
          code: "custom",
          path: ["steps", last, "hotspot"],
          message: "Nothing follows the last step, so a click leads nowhere. Remove this.",
        });
    },
    { when: ({ issues }) => issues.length === 0 },
  ),
);
