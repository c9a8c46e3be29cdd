import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { ROOT } from "../runner/claims.ts";

/** A service, as the Compose specification's own loader understands the file. */
export interface Service {
  image: string;
  user?: string;
  read_only?: boolean;
  entrypoint?: string[] | null;
  command?: string[] | null;
  profiles?: string[];
  environment?: Record<string, string>;
  env_file?: { path: string }[];
  secrets?: { source: string; target: string }[];
  volumes?: { type: "bind" | "volume"; source: string; target: string; read_only?: boolean }[];
  tmpfs?: string[];
  ports?: { host_ip?: string; published: string; target: number; protocol: string }[];
  networks: { default: { ipv4_address?: string } | null };
  depends_on?: Record<string, { condition: Condition }>;
  healthcheck?: { test?: ["CMD", ...string[]]; disable?: boolean };
}

type Condition = "service_started" | "service_healthy" | "service_completed_successfully";

export interface ComposeFile {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
}

/**
 * Reads compose.yaml and .env of a folder. The loader checks it by the specification's schema, and that all it names is
 * there. Of the loader's program only the filling in of variables does not work, which happens here.
 *
 * @param change of the text, for a control.
 */
export async function loadCompose(
  folder: string,
  change: (text: string) => string = (text) => text,
): Promise<ComposeFile> {
  const variables = parseEnv(readFileSync(join(folder, ".env"), "utf8"));
  const text = change(readFileSync(join(folder, "compose.yaml"), "utf8"));
  const filled = text.replaceAll(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string | undefined, rest = "") => {
      const value = variables[name] || (kind === "-" ? rest : undefined);
      if (value === undefined) throw new Error(`compose.yaml needs ${name}: ${rest}`);
      return value;
    },
  );
  writeFileSync(join(folder, "filled.yaml"), filled);
  const loader = join(ROOT, ".ci/.tools/bin/compose-spec");
  const words = ["-no-interpolation", "-format", "json", "filled.yaml"];
  const { stdout } = await promisify(execFile)(loader, words, { cwd: folder });
  return JSON.parse(stdout) as ComposeFile;
}
