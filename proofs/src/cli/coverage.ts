import type { HelpedCommand } from "./read-help.ts";
import type { Run } from "./svc.ts";

/**
 * What the help shows and no call used. A call counts when it was understood: it did its work, or
 * said no to it for a reason other than the command line.
 */
export function untold(help: HelpedCommand[], runs: Run[]): string[] {
  const understood = runs.filter(({ exitCode, argv }) => exitCode <= 1 && !argv.includes("--help"));
  return help.flatMap((command) => {
    const calls = understood.filter(({ argv }) => isCallOf(command, argv));
    if (calls.length === 0) return [`svc ${command.name}`];
    return command.flags.flatMap(({ name, choices }) => {
      if (name === "--help") return asked(command, runs) ? [] : [`svc ${command.name} --help`];
      const values = calls.flatMap(({ argv }) => valuesOf(name, argv));
      if (values.length === 0) return [`svc ${command.name} ${name}`];
      return choices
        .filter((choice) => !values.includes(choice))
        .map((choice) => `svc ${command.name} ${name} ${choice}`);
    });
  });
}

function isCallOf({ name }: HelpedCommand, argv: string[]): boolean {
  return argv.slice(0, name.split(" ").length).join(" ") === name;
}

function asked(command: HelpedCommand, runs: Run[]): boolean {
  return runs.some(({ argv }) => argv.join(" ") === `${command.name} --help`);
}

/** The word after each use of a flag; for a switch that is whatever follows. */
function valuesOf(flag: string, argv: string[]): string[] {
  return argv.flatMap((word, index) => (word === flag ? [argv[index + 1] ?? ""] : []));
}
