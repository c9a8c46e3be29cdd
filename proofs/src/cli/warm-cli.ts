/**
 * Runs the CLI's own entry once per message, in a process that has loaded everything else before:
 * starting Node costs more than any command. Each call gets its own arguments, environment and
 * folder; what it prints is caught.
 */
export interface Call {
  argv: string[];
  environment: Record<string, string>;
  directory: string;
}

const CLI = new URL("../../../server/src/operator/cli.ts", import.meta.url);
const known = { ...process.env };
let calls = 0;

process.on("message", (call: Call) => void answer(call));

async function answer({ argv, environment, directory }: Call): Promise<void> {
  const printed = { out: "", err: "" };
  process.argv = [process.execPath, CLI.pathname, ...argv];
  process.env = { ...known, ...environment };
  process.chdir(directory);
  process.exitCode = 0;
  process.stdout.write = catchInto("out");
  process.stderr.write = catchInto("err");
  try {
    // Another address of the same file: it is evaluated anew, what it imports is not.
    await import(`${CLI.href}?call=${(calls += 1)}`);
  } catch (error) {
    printed.err += String(error);
    process.exitCode = 1;
  }
  process.stdout.removeAllListeners("error");
  process.send!({ exitCode: process.exitCode, ...printed });

  function catchInto(stream: "out" | "err"): typeof process.stdout.write {
    return (chunk: string | Uint8Array) => {
      printed[stream] += String(chunk);
      return true;
    };
  }
}
