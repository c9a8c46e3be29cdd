import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect, isDeepStrictEqual } from "node:util";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { operatorEnvironment, PASSWORDS } from "./server-process.ts";
import { SvcProcess } from "./svc-process.ts";
import type { SvcRun, SvcSurroundings } from "./svc-process.ts";

/** `svc` as an operator calls it, for a test file that calls some groups of its commands. */
export class SvcUnderTest {
  /** A folder for files, in which `svc` is called. */
  readonly directory: string = mkdtempSync(join(tmpdir(), "svc-cli-"));
  readonly #svc = new SvcProcess(join(this.directory, "compiled"));
  readonly #groups: keyof typeof GROUPS;

  constructor(groups: keyof typeof GROUPS) {
    this.#groups = groups;
  }

  desk(
    database: { url: string; exportUrl: string },
    environment: Record<string, string> = {},
  ): SvcDesk {
    const settings = { ...operatorEnvironment(database), ...environment };
    return new SvcDesk(this.#svc, { directory: this.directory, environment: settings });
  }

  close(): void {
    this.#svc.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Every command, flag and choice that the help shows was used by the calls so far. */
  async checkCoverage(): Promise<void> {
    const bare = new SvcDesk(this.#svc, { directory: this.directory, environment: {} });
    const top = parseHelp((await bare.run("--help")).out);
    expectSame("the groups", Object.values(GROUPS).flat().toSorted(), top.commands.toSorted());
    const help: HelpedCommand[] = [];
    for (const name of GROUPS[this.#groups]) help.push(...(await readHelp(bare, [name])));
    const { runs } = this.#svc;
    expectSame("what no call uses", unused(help, runs), []);
    // The control: without its calls, a command is reported.
    const { name } = help[0]!;
    const others = runs.filter(({ argv }) => !`${argv.join(" ")} `.startsWith(`${name} `));
    expectSame("the control", unused(help, others)[0], `svc ${name}`);
  }

  /** No call so far has printed a password, or a secret that another has printed. */
  checkSecrets(): void {
    const passwords = Object.values(PASSWORDS);
    expectSame("leaks", leaks(this.#svc.runs, passwords), []);
    // The controls: a token that is shown twice, and a password.
    const careless = (out: string): SvcRun => ({ argv: [], exitCode: 0, out, err: "" });
    const issued = careless(`SVC_TOKEN=svc_aa${"x".repeat(49)}`);
    expectSame("a token shown twice", leaks([issued, issued], passwords).length, 1);
    expectSame("a password", leaks([careless(`at ${PASSWORDS.owner}`)], passwords).length, 1);
  }
}

/** The groups of commands that each test file calls: together all that `svc --help` shows. */
const GROUPS = {
  setup: ["db", "accounts", "tokens", "console", "audit", "status", "doctor", "completion"],
  agents: ["agents", "tours", "rubric"],
  talks: ["funnel", "costs", "sessions", "evaluate", "erase", "erasures", "subject"],
  sending: ["webhooks", "deliveries", "mail"],
} as const;

/** A command line. A text is split at its spaces. */
type Argv = string | string[];

/** Calls `svc` with these settings and checks how it answers. */
export class SvcDesk {
  readonly surroundings: SvcSurroundings;
  readonly #svc: SvcProcess;

  constructor(svc: SvcProcess, surroundings: SvcSurroundings) {
    this.#svc = svc;
    this.surroundings = surroundings;
  }

  /** The same with other settings, or in another folder. */
  with(change: Partial<SvcSurroundings>): SvcDesk {
    return new SvcDesk(this.#svc, { ...this.surroundings, ...change });
  }

  run(argv: Argv): Promise<SvcRun> {
    return this.#svc.run(wordsOf(argv), this.surroundings);
  }

  /** Does its work, complains of nothing, and prints each of these. */
  async tells(argv: Argv, texts: string[], exitCode = 0): Promise<SvcRun> {
    const run = await this.run(argv);
    const complaint = run.err.replaceAll(PROGRESS, "");
    expectSame(lineOf(argv), [run.exitCode, complaint], [exitCode, ""]);
    const untold = texts.filter((text) => !flat(run.out).includes(flat(text)));
    if (untold.length > 0)
      throw new Error(`${lineOf(argv)} does not say ${untold.join()}:\n${run.out}`);
    return run;
  }

  /** The same with `--json`: the document, which fits its published schema. */
  async answers<T = Record<string, unknown>>(argv: Argv, exitCode = 0): Promise<T> {
    const words = wordsOf(argv);
    const { out } = await this.tells([...words, "--json"], [], exitCode);
    const document: unknown = JSON.parse(out);
    const schemas = await publishedSchemas();
    const name = [2, 1].map((count) => words.slice(0, count).join(" ")).find((n) => schemas.has(n));
    expectSame(lineOf(argv), misfits(schemas.get(name!)!, document), []);
    return document as T;
  }

  /** Each is refused with this exit code, in three lines of which the first begins like this, and as JSON. */
  async refuses(...cases: [argv: Argv, exitCode: number, what: string][]): Promise<void> {
    const schemas = await publishedSchemas();
    for (const [argv, exitCode, what] of cases) {
      const [line, words] = [lineOf(argv), wordsOf(argv)];
      const [plain, json] = await Promise.all([this.run(words), this.run([...words, "--json"])]);
      for (const run of [plain, json]) expectSame(line, [run.exitCode, run.out], [exitCode, ""]);
      const said = THREE_LINES.exec(plain.err)?.slice(1).map(flat);
      if (said?.[0]!.startsWith(flat(what)) !== true)
        throw new Error(`${line} does not say "${what}" in three lines: ${plain.err}`);
      const document = JSON.parse(json.err) as { error: Record<"what" | "why" | "fix", string> };
      expectSame(line, misfits(schemas.get("error")!, document), []);
      const { error } = document;
      expectSame(line, [error.what, error.why, error.fix].map(flat), said);
    }
  }
}

function expectSame(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: found ${inspect(found)}, expected ${inspect(expected)}`);
}

function wordsOf(argv: Argv): string[] {
  return typeof argv === "string" ? argv.split(" ").filter((word) => word !== "") : argv;
}

function lineOf(argv: Argv): string {
  return `svc ${wordsOf(argv).join(" ")}`;
}

/** Without the breaks of lines that were too long. */
function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** What, why, what to do. Where there are many reasons, each further line of them is indented. */
const THREE_LINES = /^Error: (\S.*)\nWhy: {3}(\S.*(?:\n {7}.*)*)\nDo: {4}(\S.*)\n$/;
/** On a busy machine a command takes long enough to report how far it is. */
const PROGRESS = /^[\d,]+ (?:of [\d,]+ )?[a-z].*\n/gm;

const PUBLISHED = new URL("../../../docs/reference/cli-output.schema.json", import.meta.url);
const compiled: { schemas?: Map<string, ValidateFunction> } = {};

/** The schemas of what `--json` prints, by the name of the command, and `error`. */
async function publishedSchemas(): Promise<Map<string, ValidateFunction>> {
  if (compiled.schemas !== undefined) return compiled.schemas;
  const [{ Ajv2020 }, { default: formats }] = await Promise.all([
    import("ajv/dist/2020.js"),
    import("ajv-formats"),
  ]);
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  const { $defs } = JSON.parse(readFileSync(PUBLISHED, "utf8")) as { $defs: object };
  const entries = Object.entries($defs).map(
    ([name, schema]) => [name, ajv.compile(schema as object)] as const,
  );
  return (compiled.schemas = new Map(entries));
}

/** Where a document does not fit a schema. */
function misfits(validate: ValidateFunction, document: unknown): string[] {
  validate(document);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

interface HelpPage {
  commands: string[];
  /** `--since`, and the values it takes; none where any value will do. */
  flags: { name: string; choices: string[] }[];
}

interface HelpedCommand extends HelpPage {
  name: string;
}

/** Follows `--help` to every command there is. */
async function readHelp(desk: SvcDesk, path: string[]): Promise<HelpedCommand[]> {
  const page = parseHelp((await desk.run([...path, "--help"])).out);
  if (page.commands.length === 0) return [{ name: path.join(" "), ...page }];
  const found: HelpedCommand[] = [];
  for (const name of page.commands) found.push(...(await readHelp(desk, [...path, name])));
  return found;
}

function parseHelp(text: string): HelpPage {
  return {
    commands: entriesOf(text, "Commands").map((entry) => entry.split(" ", 1)[0]!),
    flags: entriesOf(text, "Options").map((entry) => ({
      name: /--[a-z-]+/.exec(entry)![0],
      choices: [...(/\(choices: ([^)]*)\)/.exec(entry)?.[1] ?? "").matchAll(/"([^"]*)"/g)].map(
        ([, choice]) => choice!,
      ),
    })),
  };
}

/** The entries of a section, each in one line; what was wrapped stands further in. */
function entriesOf(text: string, section: string): string[] {
  const body = new RegExp(`^${section}:\n((?: {2}.*\n?)*)`, "m").exec(text)?.[1] ?? "";
  const lines = body.replaceAll(/\n {3,}/g, " ").split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

/** What the help shows and no call used that was understood, whether or not it could do its work. */
function unused(help: HelpedCommand[], runs: SvcRun[]): string[] {
  const understood = runs.filter(({ exitCode, argv }) => exitCode <= 1 && !argv.includes("--help"));
  return help.flatMap((command) => {
    const calls = understood.filter(({ argv }) =>
      `${argv.join(" ")} `.startsWith(`${command.name} `),
    );
    if (calls.length === 0) return [`svc ${command.name}`];
    return command.flags.flatMap(({ name, choices }) => {
      if (name === "--help") return [];
      const values = calls.flatMap(({ argv }) =>
        argv.flatMap((word, index) => (word === name ? [argv[index + 1] ?? ""] : [])),
      );
      if (values.length === 0) return [`svc ${command.name} ${name}`];
      return choices
        .filter((choice) => !values.includes(choice))
        .map((choice) => `svc ${command.name} ${name} ${choice}`);
    });
  });
}

/** API tokens, preview tokens and webhook secrets: what a program takes for a credential of ours. */
const SECRET = /\b[a-z]+_[a-z0-9]{2}[0-9A-Za-z]{49}\b|\bwhsec_[0-9A-Za-z+/]{32}/g;

/** Secrets that were printed more than once, and passwords that were printed at all. */
function leaks(runs: SvcRun[], passwords: readonly string[]): string[] {
  const printed = runs.map(({ out, err }) => out + err).join("\n");
  const secrets: string[] = printed.match(SECRET) ?? [];
  const repeated = new Set(secrets.filter((secret, index) => secrets.indexOf(secret) !== index));
  return [
    ...[...repeated].map((secret) => `a secret was printed twice: ${secret.slice(0, 12)}…`),
    ...passwords
      .filter((password) => printed.includes(password))
      .map((password) => {
        const calls = runs.filter(({ out, err }) => (out + err).includes(password));
        return `a password was printed by ${calls.map(({ argv }) => lineOf(argv)).join(", ")}`;
      }),
  ];
}
