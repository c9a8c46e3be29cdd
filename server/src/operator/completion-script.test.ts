import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { commands } from "./commands/index.ts";
import { completionScript } from "./completion-script.ts";

/** What bash itself offers for a line, as if tab were pressed at its end. */
async function offered(line: string): Promise<string[]> {
  const words = line.split(" ");
  const script = `${completionScript("bash", commands)}
complete -p svc | grep -q -- '-F _svc svc' || exit 9
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
_svc; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)("bash", ["-c", script]);
  return stdout.split("\n").filter((word) => word !== "");
}

describe("bash completes", () => {
  it.each([
    ["svc acc", ["accounts"]],
    ["svc accounts re", ["rename", "remove"]],
    ["svc accounts set acme --ret", ["--retention-days"]],
    ["svc sessions list --status e", ["error"]],
    ["svc funnel --by la", ["language"]],
    ["svc funnel guide --a", ["--account", "--as"]],
    ["svc completion f", ["fish"]],
    ["svc help agen", ["agents"]],
    ["svc --ver", ["--version"]],
    ["svc nothing --", []],
  ])("%s", async (line, words) => {
    expect(await offered(line)).toEqual(words);
  });

  it("every command and every flag that there is", async () => {
    const [groups, script] = [await offered("svc "), completionScript("bash", commands)];
    for (const { name, options = [] } of commands) {
      expect(groups).toContain(name.split(" ")[0]);
      const flags = new RegExp(`'${name}'\\) flags='([^']*)'`).exec(script)![1]!.split(" ");
      for (const { flags: given } of options) expect(flags).toContain(/--[a-z-]+/.exec(given)![0]);
    }
  });
});

it("zsh and fish get the same commands", () => {
  expect(completionScript("zsh", commands)).toContain("bashcompinit");
  const fish = completionScript("fish", commands);
  expect(fish).toContain("-a funnel");
  expect(fish).toMatch(
    /__fish_seen_subcommand_from sessions.* -l status -r -f -a 'active abandoned/,
  );
});
