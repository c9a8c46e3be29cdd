import { execFileSync } from "node:child_process";
import type { DriftCheck } from "../drift-check.ts";
import { repository } from "../repository.ts";
import type { Repository } from "../repository.ts";
import { madeSection, markdownTable } from "./made-section.ts";

interface Variable {
  name: string;
  default: string;
  meaning: string;
}

export const configTableCheck: DriftCheck = configTable(repository, variablesOfServer);

/** The page of all environment variables shows what the server's configuration says of itself. */
export function configTable(files: Repository, variables: () => Variable[]): DriftCheck {
  return madeSection(files, {
    name: "config-table",
    document: "docs/operate/configuration.md",
    summary: () => `${variables().length} environment variables`,
    make: () =>
      markdownTable(
        ["variable", "default", "meaning"],
        variables().map((one) => [
          `\`${one.name}\``,
          one.default === "required" ? "**required**" : `\`${one.default}\``,
          one.meaning,
        ]),
      ),
  });
}

let known: Variable[] | undefined;

/** Asks the server as a process, once: tools import nothing of it. */
function variablesOfServer(): Variable[] {
  known ??= askServer();
  return known;
}

function askServer(): Variable[] {
  const program =
    'import { describeConfig } from "./src/config.ts"; console.log(JSON.stringify(describeConfig()));';
  const answer = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: new URL("../../../server/", import.meta.url),
    encoding: "utf8",
  });
  return JSON.parse(answer) as Variable[];
}
