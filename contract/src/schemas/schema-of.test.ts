import { expect, it } from "vitest";
import * as z from "zod";
import { schemaOf } from "./schema-of.ts";

interface Parcel {
  to: string;
  weight?: number;
  inside?: { fragile: boolean; note?: string };
}

const inside = z.strictObject({ fragile: z.boolean(), note: z.string().exactOptional() });
const weight = z.number().exactOptional();

// Each `@ts-expect-error` is a planted fault: the type check fails if the fault is not refused.

it("accepts a schema that gives exactly the type", () => {
  const schema = schemaOf<Parcel>()(
    z.strictObject({ to: z.string(), weight, inside: inside.exactOptional() }),
  );
  const parcel: Parcel = schema.parse({ to: "Ada", inside: { fragile: true } });
  expect(parcel).toEqual({ to: "Ada", inside: { fragile: true } });
});

it("refuses a schema that forgets an optional key", () => {
  // @ts-expect-error weight is forgotten
  schemaOf<Parcel>()(z.strictObject({ to: z.string(), inside: inside.exactOptional() }));
});

it("refuses a schema that forgets an optional key of a nested object", () => {
  const forgetful = z.strictObject({ fragile: z.boolean() }).exactOptional();
  // @ts-expect-error inside.note is forgotten
  schemaOf<Parcel>()(z.strictObject({ to: z.string(), weight, inside: forgetful }));
});

it("refuses a schema with a key that the type does not have", () => {
  const nosy = { to: z.string(), weight, inside: inside.exactOptional(), colour: z.string() };
  // @ts-expect-error colour is not part of a parcel
  schemaOf<Parcel>()(z.strictObject(nosy));
});

it("refuses a schema that lets undefined stand for a missing key", () => {
  const loose = { to: z.string(), weight: z.number().optional(), inside: inside.exactOptional() };
  // @ts-expect-error weight may be undefined, where the type wants it absent
  schemaOf<Parcel>()(z.strictObject(loose));
});

it("refuses a schema that is narrower than the type", () => {
  const narrow = { to: z.literal("Ada"), weight, inside: inside.exactOptional() };
  // @ts-expect-error the type takes any name
  schemaOf<Parcel>()(z.strictObject(narrow));
});
