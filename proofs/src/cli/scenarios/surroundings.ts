import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Scenario } from "./scenario.ts";

/** What is around the command is wrong, not the command. */
export const surroundings: Scenario = async ({ judge, directory }) => {
  const { environment } = judge.surroundings;
  const development = join(directory, "development");
  await mkdir(join(development, ".dev"), { recursive: true });
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(development, ".dev", "svc.env"), settings.join(""));
  const at = (change: (url: URL) => void): Record<string, string> => {
    const url = new URL(environment["SVC_DATABASE_URL"]!);
    change(url);
    return { ...environment, SVC_DATABASE_URL: url.href };
  };
  const away = judge.in({ environment: at((url) => void (url.port = "1")) });
  const stranger = judge.in({ environment: at((url) => void (url.username = "stranger")) });
  const nowhere = judge.in({ environment: at((url) => void (url.pathname = "/nowhere")) });
  const nothing = judge.in({ environment: {} });
  const garbled = judge.in({
    environment: { ...environment, SVC_DATABASE_URL: "canary-of-the-owner" },
  });
  await Promise.all([
    away.refuses(["accounts", "list"], 3, "The database cannot be reached."),
    away.tells(["doctor"], ["fail  database", "skip  migrations"], 1),
    stranger.refuses(["audit", "list"], 3, "The database refused the login."),
    nowhere.refuses(["sessions", "list"], 3, "The database does not exist."),
    nothing.refuses(["accounts", "list"], 2, "svc does not know which database to use."),
    garbled.refuses(["tokens", "list", "x"], 2, "svc does not know which database to use."),
    judge.refuses(["acounts", "list"], 2, "This command line was not understood."),
    judge.refuses(["accounts", "lst"], 2, "This command line was not understood."),
    judge.refuses(["accounts", "add"], 2, "This command line was not understood."),
    judge.refuses(["accounts", "list", "--all"], 2, "This command line was not understood."),
    judge.refuses(["accounts", "list", "acme"], 2, "This command line was not understood."),
    nothing.in({ directory: development }).tells(["db", "status"], ["MIGRATION"]),
    judge.tells([], ["Usage: svc"]),
    judge.tells(["accounts"], ["Usage: svc accounts"]),
  ]);
};
