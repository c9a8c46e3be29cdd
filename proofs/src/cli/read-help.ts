import type { Run } from "./svc.ts";

/** What a page of `--help` says there is. */
export interface HelpPage {
  commands: string[];
  arguments: string[];
  flags: HelpFlag[];
}

export interface HelpFlag {
  /** `--since`, without its value. */
  name: string;
  takesValue: boolean;
  /** Empty when any value goes. */
  choices: string[];
}

/** A command that does something, by the whole of its name: `accounts add`. */
export interface HelpedCommand extends HelpPage {
  name: string;
}

export function parseHelp(text: string): HelpPage {
  return {
    commands: entries(text, "Commands").map(({ term }) => term.split(" ", 1)[0]!),
    arguments: entries(text, "Arguments").map(({ term }) => term),
    flags: entries(text, "Options").map(({ term, summary }) => ({
      name: /--[a-z-]+/.exec(term)?.[0] ?? term,
      takesValue: /[<[]/.test(term),
      choices: [...(/\(choices: ([^)]*)\)/.exec(summary)?.[1] ?? "").matchAll(/"([^"]*)"/g)].map(
        (match) => match[1]!,
      ),
    })),
  };
}

/** The entries of a section: a term, two spaces or more, its summary, wrapped lines further in. */
function entries(text: string, section: string): { term: string; summary: string }[] {
  const found: { term: string; summary: string }[] = [];
  const body = text.split(new RegExp(`^${section}:\n`, "m"))[1]?.split("\n\n", 1)[0] ?? "";
  for (const line of body.split("\n")) {
    const [, term, summary = ""] = /^ {2}(\S.*?)(?: {2,}(.*))?$/.exec(line) ?? [];
    if (term !== undefined) found.push({ term, summary });
    else if (found.length > 0) found.at(-1)!.summary += ` ${line.trim()}`;
  }
  return found;
}

/** Follows `--help` from the top to every command there is. */
export async function crawlHelp(
  help: (argv: string[]) => Promise<Run>,
  path: string[] = [],
): Promise<HelpedCommand[]> {
  const page = parseHelp((await help([...path, "--help"])).out);
  if (page.commands.length === 0) return [{ name: path.join(" "), ...page }];
  const found = page.commands.map((command) => crawlHelp(help, [...path, command]));
  return (await Promise.all(found)).flat();
}
