import type { Command, Option } from "./command.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** A script that lets a shell complete commands, flags and their choices. Names of accounts and agents would need the database. */
export function completionScript(shell: Shell, commands: Command[]): string {
  if (shell === "fish") return fish(commands);
  const script = bash(commands);
  return shell === "bash"
    ? script
    : `#compdef svc\nautoload -U +X bashcompinit && bashcompinit\n${script}`;
}

/** Every command takes these, and no definition names them. */
const COMMON: Option[] = [
  { flags: "--json", summary: "print JSON for programs" },
  { flags: "--as <name>", summary: "who you are, for the audit" },
  { flags: "--help", summary: "show what it takes" },
];

const flagOf = ({ flags }: Option): string => /--[a-z-]+/.exec(flags)![0];
const optionsOf = ({ options = [] }: Command): Option[] => [...options, ...COMMON];

/** The words that can follow `svc`, and for a group those that can follow its name. */
function wordsOf(commands: Command[]): Map<string, string[]> {
  const words = new Map<string, string[]>([["help", []]]);
  for (const { name } of commands) {
    const [first, second] = name.split(" ") as [string, string?];
    words.set(first, [...(words.get(first) ?? []), ...(second === undefined ? [] : [second])]);
  }
  words.set(
    "help",
    [...words.keys()].filter((word) => word !== "help"),
  );
  return words;
}

function bash(commands: Command[]): string {
  const words = wordsOf(commands);
  const groups = [...words].filter(([, inside]) => inside.length > 0);
  const reply = (list: readonly string[]): string =>
    `COMPREPLY=($(compgen -W '${list.join(" ")}' -- "$cur")); return`;
  const choices = commands.flatMap((command) =>
    optionsOf(command)
      .filter((option) => option.choices !== undefined)
      .map((option) => `    '${command.name} ${flagOf(option)}') ${reply(option.choices!)} ;;`),
  );
  const flags = commands.map((command) => {
    const [argument] = command.arguments ?? [];
    return `    '${command.name}') flags='${optionsOf(command).map(flagOf).join(" ")}' values='${(argument?.choices ?? []).join(" ")}' ;;`;
  });
  return `_svc() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local command=\${COMP_WORDS[1]} flags='' values=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then ${reply([...words.keys(), "--help", "--version"])}; fi
  if [ "$COMP_CWORD" -eq 2 ]; then
    case $command in
${groups.map(([group, inside]) => `    ${group}) ${reply(inside)} ;;`).join("\n")}
    esac
  fi
  case $command in
    ${groups.map(([group]) => group).join("|")}) command="$command \${COMP_WORDS[2]}" ;;
  esac
  case "$command $prev" in
${choices.join("\n")}
  esac
  case $command in
${flags.join("\n")}
  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$values" -- "$cur")) ;;
  esac
}
complete -o default -F _svc svc
`;
}

function fish(commands: Command[]): string {
  const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
  const words = wordsOf(commands);
  const first = [...words.keys()].map(
    (word) => `complete -c svc -f -n __fish_use_subcommand -a ${word}`,
  );
  const second = commands
    .filter(({ name }) => name.includes(" "))
    .map(({ name, summary }) => {
      const [group, word] = name.split(" ") as [string, string];
      const rest = words.get(group)!.join(" ");
      return `complete -c svc -f -n '__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${rest}' -a ${word} -d ${quoted(summary)}`;
    });
  const flags = commands.flatMap((command) => {
    const seen = command.name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
    return optionsOf(command).map((option) => {
      const takes = option.flags.includes("<") ? " -r" : "";
      const values =
        option.choices === undefined ? "" : ` -f -a ${quoted(option.choices.join(" "))}`;
      return `complete -c svc -n '${seen.join("; and ")}' -l ${flagOf(option).slice(2)}${takes}${values} -d ${quoted(option.summary)}`;
    });
  });
  return `${[...first, ...second, ...flags].join("\n")}\n`;
}
