import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const PUBLISHED = new URL("../../../docs/reference/cli-output.schema.json", import.meta.url);

/** The schemas that customers of `--json` have, by the name of the command, and `error`. */
export class OutputSchema {
  readonly #validators: Map<string, ValidateFunction>;

  constructor() {
    const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
    addFormats.default(ajv);
    const { $defs } = JSON.parse(readFileSync(PUBLISHED, "utf8")) as { $defs: object };
    this.#validators = new Map(
      Object.entries($defs).map(([name, schema]) => [name, ajv.compile(schema as object)]),
    );
  }

  /** What does not fit, or undefined. */
  problem(name: string, document: unknown): string | undefined {
    const validate = this.#validators.get(name);
    if (validate === undefined) return `no schema is published for ${name}`;
    if (validate(document)) return undefined;
    return validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join();
  }

  /** The longest name that the words begin with. */
  nameFor(argv: string[]): string {
    const names = [1, 2].map((words) => argv.slice(0, words).join(" "));
    return names.findLast((name) => this.#validators.has(name)) ?? names[1]!;
  }
}
