import { describe, expect, it } from "vitest";
import * as z from "zod";
import { commandLineUnderTest } from "./command-line-under-test.ts";
import { commands } from "./commands/index.ts";
import { GROUPS } from "./program.ts";
import { cliReference } from "./reference.ts";
import { EXIT } from "./terminal/explain-error.ts";

/** Without a database. */
const { svc } = commandLineUnderTest({}, { width: 80, nowMs: 0 });

describe("help", () => {
  it("is what svc alone answers, with every group", async () => {
    const { exitCode, out, err } = await svc();
    expect([exitCode, err]).toEqual([EXIT.done, ""]);
    for (const name of new Set(commands.map((command) => command.name.split(" ")[0]!))) {
      expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
    }
    expect(await svc("--help")).toEqual({ exitCode, out, err });
  });

  it("is what a group alone answers, with every command of it", async () => {
    const { exitCode, out } = await svc("accounts");
    expect(exitCode).toBe(EXIT.done);
    expect(out).toMatch(/^ {2}add <name> /m);
    expect(out).toMatch(/^ {2}set <account> /m);
  });

  it("of a command shows arguments, options, --json and an example", async () => {
    for (const command of commands) {
      const { exitCode, out } = await svc(...command.name.split(" "), "--help");
      expect(exitCode, command.name).toBe(EXIT.done);
      for (const { flags } of command.options ?? []) expect(out).toContain(`  ${flags}`);
      expect(out).toContain("--json");
      expect(out).toContain(`Examples:\n  ${command.examples[0]![0]}`);
    }
  });

  it("has a title for every group", () => {
    const groups = commands
      .filter(({ name }) => name.includes(" "))
      .map(({ name }) => name.split(" ")[0]!);
    expect(groups.filter((group) => !GROUPS[group])).toEqual([]);
  });

  it("is what help answers, of a command, a group and all", async () => {
    for (const words of [["accounts", "set"], ["accounts"], ["doctor"], []])
      expect(await svc("help", ...words)).toEqual(await svc(...words, "--help"));
    expect((await svc("help", "acounts")).exitCode).toBe(EXIT.usage);
    expect((await svc("help", "accounts", "nothing")).exitCode).toBe(EXIT.usage);
  });

  it("says which release it is", async () => {
    expect(await svc("--version")).toEqual({
      exitCode: EXIT.done,
      out: "svc 1.2.3 (commit 0a1b2c3)",
      err: "",
    });
    const unknown = { release: () => ({ version: "1.2.3", commit: undefined }) };
    expect((await commandLineUnderTest(unknown).svc("-V")).out).toBe("svc 1.2.3");
  });
});

describe("a command line that is not understood", () => {
  it.each([
    [["acounts"], "unknown command 'acounts'", "Did you mean accounts?"],
    [["accounts", "ad"], "unknown command 'ad'", "Run `svc accounts --help`"],
    [["accounts", "add"], "missing required argument 'name'", "Run `svc accounts add --help`"],
    [["accounts", "add", "a", "b"], "too many arguments", "Run `svc accounts add --help`"],
    [["tokens", "issue", "acme"], "required option '--label <text>'", "svc tokens issue --help"],
    [
      ["sessions", "list", "--stauts", "error"],
      "unknown option '--stauts'",
      "Did you mean --status?",
    ],
    [
      ["sessions", "list", "--status", "done"],
      "Allowed choices are active",
      "sessions list --help",
    ],
    [["sessions", "list", "--since"], "argument missing", "svc sessions list --help"],
  ])("%j exits with 2 and says why and what to do, in three lines", async (argv, why, fix) => {
    const { exitCode, out, err } = await svc(...argv);
    expect([exitCode, out]).toEqual([EXIT.usage, ""]);
    const lines = err.split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe("Error: This command line was not understood.");
    expect(lines[1]!.toLowerCase()).toContain(why.toLowerCase());
    expect(lines[2]).toContain(fix);
  });

  it("is told as JSON to who asks for JSON", async () => {
    const { exitCode, out, err } = await svc("accounts", "add", "--json");
    expect([exitCode, out]).toEqual([EXIT.usage, ""]);
    expect(JSON.parse(err)).toEqual({
      error: {
        what: "This command line was not understood.",
        why: "Missing required argument 'name'.",
        fix: "Run `svc accounts add --help` for what it takes.",
      },
    });
  });
});

describe("a failure", () => {
  it("exits with its own code and prints nothing on standard output", async () => {
    const { exitCode, out, err } = await svc("accounts", "list");
    expect([exitCode, out]).toEqual([EXIT.unavailable, ""]);
    expect(err).toMatch(/^Error: The database cannot be reached\.\nWhy: {3}Gone\.\nDo: {4}/);
  });

  it("is told as JSON to who asks for JSON", async () => {
    const { exitCode, err } = await svc("audit", "list", "--since", "soon", "--json");
    expect(exitCode).toBe(EXIT.usage);
    expect(JSON.parse(err)).toMatchObject({ error: { what: '"soon" is no time.' } });
  });
});

const { page, schema } = cliReference();

it("the page shows every command with its flags and examples", () => {
  for (const { name, options = [], examples } of commands) {
    expect(page).toMatch(new RegExp(`^###? svc ${name}$`, "m"));
    for (const { flags } of options) expect(page).toContain(`\`${flags}\``);
    for (const [line] of examples) expect(page).toContain(`${line}  # `);
  }
  expect(page.match(/^## \S+: .*\w/gm)?.length).toBeGreaterThan(3);
  expect(page).toContain("| 70 | A defect in svc itself. |");
});

it("the schema describes what every command prints, closed to other keys, and errors", () => {
  const Published = z.object({
    $defs: z.record(z.string(), z.object({ type: z.literal("object") })),
  });
  const { $defs } = Published.parse(JSON.parse(schema));
  expect(Object.keys($defs)).toEqual([...commands.map(({ name }) => name), "error"]);
  expect(schema).toContain('"additionalProperties": false');
});

it("takes no limit in money where a model has no price", async () => {
  const first = { name: "large", url: "http://127.0.0.1:1", key: undefined, timeoutMs: 1 };
  const withPrice = (isPriced: boolean) => {
    const place = { ...first, price: { input: 0, output: 0 }, isPriced };
    const models = { first: place, fallback: undefined };
    const modelPlaces = () => ({ conversation: models, evaluation: undefined });
    return commandLineUnderTest({ modelPlaces }, { width: 80, nowMs: 0 });
  };
  const set = ["accounts", "set", "acme", "--limit", "cost_micros_per_session=5"];
  const { exitCode, err } = await withPrice(false).svc(...set);
  expect(exitCode).toBe(EXIT.usage);
  expect(err).toContain("SVC_MODEL_PRICES");
  // Control: a price of zero is a price, so it goes on to the database, which is not there.
  expect((await withPrice(true).svc(...set)).err).not.toContain("SVC_MODEL_PRICES");
});
