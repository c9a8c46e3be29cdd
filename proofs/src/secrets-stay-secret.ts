import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findCanaries } from "./deliveries/canaries.ts";
import { changeKeys } from "./deliveries/change-keys.ts";
import { dumpDatabase } from "./deliveries/dump-database.ts";
import { provoke } from "./deliveries/provoke.ts";
import { SecretWorld } from "./deliveries/secret-world.ts";
import { defineProof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

// A12, S12
export default defineProof({
  covers: [],
  claims: {
    "secrets-stay-secret": {
      promise: "Secrets are shown once, when they are issued, and never again",
      bound: "0 secrets in logs, answers, metrics, commands or a dump, 0 faults while keys change",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const stage = await openStage();
        onEnd(() => stage.close());
        const { database } = stage;
        const directory = await mkdtemp(join(tmpdir(), "svc-secrets-"));
        onEnd(() => rm(directory, { recursive: true, force: true }));
        const world = await SecretWorld.open(database, directory, onEnd);

        const add = `webhooks add ${world.receiver.url}/hook --account ${world.customer.account.clientId}`;
        const added = await world.operate(world.environment("k1"), ...add.split(" "));
        const endpoint = { id: String(added["id"]), secret: String(added["secret"]) };
        const faults = [
          ...(await provoke(world, endpoint.id)),
          ...(await changeKeys(world, endpoint)),
        ];

        const dump = { where: "a dump of the database", text: await dumpDatabase(database) };
        const readable = [...world.readable(), dump];
        const found = findCanaries(readable, world.canaries);
        // The control: a secret that is stored as it is.
        await database.pool.query("CREATE TABLE careless AS SELECT $1::text AS secret", [
          endpoint.secret,
        ]);
        const careless = { where: "a careless dump", text: await dumpDatabase(database) };
        const isNoticed = findCanaries([careless], world.canaries).length > 0;

        for (const fault of [...found, ...faults].slice(0, 20)) say(fault);
        const characters = readable.reduce((sum, { text }) => sum + text.length, 0);
        say(
          `looked for ${world.canaries.length} secrets in ${readable.length} logs, answers and outputs of ${characters.toLocaleString("en")} characters`,
        );
        return {
          figure: `${found.length} of ${world.canaries.length} secrets found, ${faults.length} faults while keys changed; control ${isNoticed ? "found" : "not found"}`,
          ok: found.length + faults.length === 0 && isNoticed && world.canaries.length >= 11,
          size: `${world.canaries.length} secrets`,
        };
      },
    },
  },
});
