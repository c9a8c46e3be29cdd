import { writeFile } from "node:fs/promises";
import { startPrivatePostgres } from "@svc/tools/postgres";
import { cloneDatabase, createTemplate, dumpSchema } from "./database.ts";

const cluster = await startPrivatePostgres({ version: "15" });
try {
  await createTemplate(cluster.url);
  const database = await cloneDatabase(cluster.url);
  await writeFile(new URL("../../schema.sql", import.meta.url), await dumpSchema(database.url));
  await database.drop();
} finally {
  await cluster.stop();
}
