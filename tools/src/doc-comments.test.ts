import { expect, it } from "vitest";
import { docComments } from "./doc-comments.ts";

it("reads the comments of exported types and of their properties", () => {
  const source = `
/** Not this: it is not exported. */
interface Hidden {}

/**
 * A parcel, on its
 * way.
 *
 * - \`light\`: under
 *   a kilo
 * - \`heavy\`: all others
 */
export interface Parcel {
  /** Who gets it. */
  to: string;
  silent: number;
  /**
   * Its weight
   * in grams.
   */
  weight?: number;
}

/** Any name. */
export type Name = string;
`;
  expect(docComments(source)).toEqual({
    Parcel: {
      comment: "A parcel, on its way.\n\n- `light`: under   a kilo\n- `heavy`: all others",
      properties: { to: "Who gets it.", silent: "", weight: "Its weight in grams." },
    },
    Name: { comment: "Any name.", properties: {} },
  });
});
