import { OutputSchema } from "./output-schema.ts";
import type { Run, Surroundings, Svc } from "./svc.ts";

/** Calls `svc` in one place and writes down what does not hold. */
export class Judge {
  readonly faults: string[];
  readonly #svc: Svc;
  readonly #surroundings: Surroundings;
  readonly #schema: OutputSchema;

  constructor(
    svc: Svc,
    surroundings: Surroundings,
    faults: string[] = [],
    schema: OutputSchema = new OutputSchema(),
  ) {
    this.#svc = svc;
    this.#surroundings = surroundings;
    this.faults = faults;
    this.#schema = schema;
  }

  /** The same judge in other surroundings. */
  in(change: Partial<Surroundings>): Judge {
    return new Judge(this.#svc, { ...this.#surroundings, ...change }, this.faults, this.#schema);
  }

  get surroundings(): Surroundings {
    return this.#surroundings;
  }

  check(holds: boolean, fault: string): void {
    if (!holds) this.faults.push(fault);
  }

  /** Equal as JSON: what is told against what is so. */
  same(told: unknown, so: unknown, what: string): void {
    const [left, right] = [JSON.stringify(told), JSON.stringify(so)];
    this.check(left === right, `${what}: told ${left}, but it is ${right}`);
  }

  run(argv: string[]): Promise<Run> {
    return this.#svc.run(argv, this.#surroundings);
  }

  /** Does its work, complains of nothing, and prints each of these. */
  async tells(argv: string[], texts: string[], exitCode = 0): Promise<Run> {
    const run = await this.run(argv);
    const line = `svc ${argv.join(" ")}`;
    this.check(run.exitCode === exitCode, `${line} exits with ${run.exitCode}: ${run.err}`);
    this.check(run.err === "", `${line} complains: ${run.err}`);
    for (const text of texts) {
      const isTold = flat(run.out).includes(flat(text));
      this.check(isTold, `${line} does not tell ${text}:\n${run.out}`);
    }
    return run;
  }

  /** The same with `--json`: the document, which fits its published schema. */
  async answers<T>(argv: string[], exitCode = 0): Promise<T> {
    const run = await this.tells([...argv, "--json"], [], exitCode);
    const document = parse(run.out);
    const problem = this.#schema.problem(this.#schema.nameFor(argv), document);
    this.check(problem === undefined, `svc ${argv.join(" ")} --json: ${problem}`);
    return document as T;
  }

  /** Says no in three lines, the first of which begins like this, and with `--json` the same as an object. */
  async refuses(argv: string[], exitCode: number, what: string): Promise<void> {
    const [plain, json] = await Promise.all([this.run(argv), this.run([...argv, "--json"])]);
    const line = `svc ${argv.join(" ")}`;
    for (const run of [plain, json]) {
      this.check(run.exitCode === exitCode, `${line} exits with ${run.exitCode}: ${run.err}`);
      this.check(run.out === "", `${line} prints ${run.out} though it fails`);
    }
    const said = THREE_LINES.exec(plain.err);
    this.check(said !== null, `${line} says it in other lines: ${plain.err}`);
    this.check(
      plain.err.startsWith(`Error: ${what}`),
      `${line} does not say ${what}: ${plain.err}`,
    );
    const document = parse(json.err);
    const problem = this.#schema.problem("error", document);
    this.check(problem === undefined, `${line} --json: ${problem}`);
    const { error } = document as { error?: Record<"what" | "why" | "fix", string> };
    const words = [error?.what, error?.why, error?.fix];
    this.same(words.map(flat), said?.slice(1).map(flat), `${line} --json`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What, why, what to do. Where there are many reasons, each further line of them is indented. */
const THREE_LINES = /^Error: (\S.*)\nWhy: {3}(\S.*(?:\n {7}.*)*)\nDo: {4}(\S.*)\n$/;

/** Without the breaks of lines that were too long. */
function flat(text = ""): string {
  return text.replaceAll(/\s+/g, " ");
}
