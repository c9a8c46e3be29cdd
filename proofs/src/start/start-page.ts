import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import Papa from "papaparse";
import { newShell } from "./clone.ts";

/** What a reader finds on the start page. */
export interface StartPage {
  /** The command lines, as the Copy buttons give them. */
  commands: string[];
  csvLink: string;
  clientId: string;
  token: string;
}

export async function readStartPage(url: string): Promise<StartPage> {
  const response = await fetch(url);
  const page = await response.text();
  const codes = [...page.matchAll(/<code>([^<]*)<\/code>/g)].map(([, code]) => unescape(code!));
  const found = (pattern: RegExp): string => {
    const text = codes.find((code) => pattern.test(code));
    if (text === undefined)
      throw new Error(`The start page shows nothing like ${pattern}:\n${page}`);
    return text;
  };
  return {
    commands: codes.filter((code) => /^(curl|npx svc) /.test(code)),
    csvLink: unescape(/href="([^"]+\.csv)"/.exec(page)?.[1] ?? ""),
    clientId: found(/^client_\w+$/),
    token: found(/^svc_\w+$/),
  };
}

function unescape(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

const run = promisify(execFile);

/** Pastes a command line into a shell in the clone. */
async function paste(clone: string, command: string): Promise<string> {
  const { stdout } = await run("sh", ["-c", command], { cwd: clone, env: newShell() });
  return stdout;
}

/** The first thing to try: two sessions as JSON. */
export async function tryFirstExport(clone: string, { commands }: StartPage): Promise<void> {
  const { items } = JSON.parse(await paste(clone, commands[0]!)) as { items: { id: string }[] };
  if (items.length !== 2) throw new Error(`The first command gave ${items.length} sessions.`);
}

/** Everything else that the page offers. What does not work is returned in words. */
export async function tryTheRest(clone: string, page: StartPage): Promise<string[]> {
  const faults: string[] = [];
  const tryOne = (command: string): Promise<unknown> =>
    paste(clone, command).catch((error: Error) => faults.push(`${command}: ${error.message}`));
  // Two at a time: nobody pastes a dozen lines at once, and each is a process.
  const left = page.commands.slice(1);
  const tryInTurn = async (): Promise<void> => {
    for (let command = left.shift(); command !== undefined; command = left.shift()) {
      await tryOne(command);
    }
  };
  await Promise.all([tryInTurn(), tryInTurn()]);
  const file = await readFile(join(clone, "sessions.csv"), "utf8").catch(() => "");
  if (rowsOf(file).length !== 100)
    faults.push("the CSV command wrote no file of a hundred sessions");

  // What makes a browser ask for a name and a password.
  const unasked = await fetch(page.csvLink);
  const challenge = unasked.headers.get("www-authenticate") ?? "";
  if (unasked.status !== 401 || !challenge.includes("Basic")) {
    faults.push(`the CSV link asks for nothing: ${unasked.status} ${challenge}`);
  }
  const earlier = await fetch(new URL(`/sdk/v1/agents/${page.clientId}`, page.csvLink));
  if (!earlier.ok) faults.push(`the older bootstrap finds no agent: ${earlier.status}`);
  const rows = rowsOf(await fetchCsv(page));
  if (rows.length !== 100) faults.push(`the CSV link gave ${rows.length} rows`);
  const statuses = new Set(rows.map((row) => row["status"]));
  if (statuses.size !== 3) faults.push(`the sessions have only ${[...statuses].join(", ")}`);
  return faults;
}

/** All that the link gives to who knows the two values. */
export async function fetchCsv({ csvLink, clientId, token }: StartPage): Promise<string> {
  const credentials = Buffer.from(`${clientId}:${token}`).toString("base64");
  const response = await fetch(csvLink, { headers: { authorization: `Basic ${credentials}` } });
  return response.text();
}

function rowsOf(csv: string): Record<string, string>[] {
  return Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true }).data;
}
