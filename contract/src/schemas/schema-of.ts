import type * as z from "zod";

/**
 * Ties a schema to its hand-written type: what it lets through must be exactly `T`, at every depth.
 *
 * `z.ZodType<T>` alone accepts a schema that forgets an optional key, and parsing would then drop
 * or refuse that field.
 */
export function schemaOf<T>(): <S extends z.ZodType<T>>(
  schema: S & Exactly<T, z.output<S>>,
) => z.ZodType<T> {
  return (schema) => schema;
}

/** `unknown` when both types are identical, else a key that no schema has, for the error message. */
type Exactly<Wanted, Actual> =
  (<X>() => X extends Wanted ? 1 : 2) extends <X>() => X extends Actual ? 1 : 2
    ? unknown
    : { schemaDiffersFrom: Wanted; schemaGives: Actual };
