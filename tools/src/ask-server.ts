import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Calls a function of the server in a process of its own, since tools import nothing of the server. */
export function askServer(file: string, name: string): unknown {
  const program = `import { ${name} } from "${file}"; console.log(JSON.stringify(${name}()));`;
  const answer = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: join(import.meta.dirname, "../../server"),
    encoding: "utf8",
    maxBuffer: 10_000_000,
  });
  return JSON.parse(answer) as unknown;
}
