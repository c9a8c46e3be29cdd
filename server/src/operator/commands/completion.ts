import * as z from "zod";
import { defineCommand, given } from "../command.ts";
import type { Command } from "../command.ts";
import { completionScript, SHELLS } from "../completion-script.ts";
import type { Shell } from "../completion-script.ts";

/** @param all every command, this one included: a list that is complete only after all are defined. */
export function completionCommand(all: () => Command[]): Command {
  return defineCommand({
    name: "completion",
    summary: "Print a script that lets your shell complete commands and flags",
    arguments: [{ name: "shell", summary: "your shell", choices: SHELLS }],
    examples: [
      ['eval "$(svc completion bash)"', "in ~/.bashrc"],
      ['eval "$(svc completion zsh)"', "in ~/.zshrc, after compinit"],
      ["svc completion fish > ~/.config/fish/completions/svc.fish", "once"],
    ],
    output: z.strictObject({ shell: z.enum(SHELLS), script: z.string() }),
    run: async (_operator, input) => {
      const shell = given(input, "shell") as Shell;
      return { shell, script: completionScript(shell, all()) };
    },
    render: ({ script }) => script.trimEnd(),
  });
}
