import { execFileSync } from "node:child_process";
import type { DriftCheck } from "../drift-check.ts";
import { repository } from "../repository.ts";
import type { Repository } from "../repository.ts";

interface Reference {
  page: string;
  schema: string;
}

const PAGE = "docs/reference/cli.md";
const SCHEMA = "docs/reference/cli-output.schema.json";

export const cliReferenceCheck: DriftCheck = cliReference(repository, referenceOfServer);

/** The CLI's page and the schema of its JSON are what its commands say of themselves. */
export function cliReference(files: Repository, reference: () => Reference): DriftCheck {
  return {
    name: "cli-reference",
    summary: () => `${reference().page.match(/^#+ svc /gm)?.length ?? 0} commands`,
    problems() {
      const { page, schema } = reference();
      return [
        ...(files.read(PAGE) === page ? [] : [PAGE]),
        ...(files.read(SCHEMA) === schema ? [] : [SCHEMA]),
      ].map((path) => `${path} is not in step. Run \`npm run generate\` and commit it.`);
    },
    write() {
      const { page, schema } = reference();
      files.write(PAGE, page);
      files.write(SCHEMA, schema);
    },
  };
}

let known: Reference | undefined;

/** Asks the server as a process, once: tools import nothing of it. */
function referenceOfServer(): Reference {
  known ??= askServer();
  return known;
}

function askServer(): Reference {
  const program =
    'import { cliReference } from "./src/operator/reference.ts"; console.log(JSON.stringify(cliReference()));';
  const answer = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: new URL("../../../server/", import.meta.url),
    encoding: "utf8",
    maxBuffer: 10_000_000,
  });
  return JSON.parse(answer) as Reference;
}
