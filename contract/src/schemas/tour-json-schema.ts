import { editorJsonSchema } from "./agent-json-schema.ts";
import type { Documented } from "./agent-json-schema.ts";
import type { JsonSchema } from "./json-schemas.ts";
import * as tour from "./tour.ts";

/** The JSON Schema of `tour.yaml`, for editors. */
export function tourJsonSchema(documented: Documented): JsonSchema {
  return editorJsonSchema(tour.TourFile, tour, documented);
}
