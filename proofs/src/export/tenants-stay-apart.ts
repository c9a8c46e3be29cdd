import type { Claim } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { addTenants, askEverything } from "./tenants/questions.ts";

const ACCOUNTS = { gate: 8, quick: 20, full: 50 };

export const tenantsStayApart: Claim<undefined> = {
  promise: "No account ever reads another account's sessions",
  bound: "0 foreign ids or texts, with the account filter and by row-level security alone",
  tier: "gate",
  prove: async ({ sized, say, onEnd, progress }) => {
    const stage = await openStage();
    onEnd(() => stage.close());
    const tenants = await addTenants(stage.database, sized(ACCOUNTS));
    const unlimited = {
      SVC_EXPORT_RATE: "1000000",
      SVC_EXPORT_BURST: "1000000",
      SVC_MIGRATE: "off",
    };
    const forgetful = {
      ...unlimited,
      NODE_OPTIONS: `--import ${new URL("./tenants/forget-account-filter.ts", import.meta.url).href}`,
    };

    const server = await stage.startServer(unlimited);
    const filtered = await askEverything(server.url, tenants, progress);
    say(
      `with the account filter: ${filtered.questions} questions, ${filtered.rows} rows, ${filtered.foreign} foreign`,
    );

    const unfiltered = await stage.startServer(forgetful);
    const secured = await askEverything(unfiltered.url, tenants, progress);
    const removals = unfiltered.log.filter(
      (line) => line["msg"] === "account filter removed",
    ).length;
    say(
      `row-level security alone: ${secured.questions} questions, ${secured.rows} rows, ${secured.foreign} foreign, filter removed ${removals} times`,
    );

    // What holds nobody must be seen to hold nobody, or the two zeros above mean nothing.
    for (const table of ["session_exports", "sessions", "account_clocks"]) {
      await stage.database.pool.query(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`);
    }
    const leaking = await askEverything(unfiltered.url, tenants.slice(0, 3), progress);
    say(`control without either wall: ${leaking.foreign} foreign in ${leaking.rows} rows`);

    const mixed = await askWithMixedCredentials(server.url, tenants);
    say(
      `client id of one account with the token of another: ${mixed.refused} of ${mixed.asked} refused with 401`,
    );

    return {
      figure: `${filtered.foreign} and ${secured.foreign} foreign ids or texts in ${filtered.rows + secured.rows} rows, control leaked ${leaking.foreign}`,
      ok:
        filtered.foreign === 0 &&
        secured.foreign === 0 &&
        filtered.missing + secured.missing === 0 &&
        filtered.rows > 0 &&
        secured.rows > 0 &&
        removals > 0 &&
        leaking.foreign > 0 &&
        mixed.refused === mixed.asked,
      size: `${tenants.length} accounts, ${filtered.questions + secured.questions} questions`,
    };
  },
};

async function askWithMixedCredentials(
  url: string,
  tenants: Awaited<ReturnType<typeof addTenants>>,
): Promise<{ asked: number; refused: number }> {
  const answers = await Promise.all(
    tenants.map(async (tenant, index) => {
      const { customer: other } = tenants[(index + 1) % tenants.length]!;
      const basic = Buffer.from(`${tenant.customer.account.clientId}:${other.token}`).toString(
        "base64",
      );
      const response = await fetch(`${url}/v1/sessions.json`, {
        headers: { authorization: `Basic ${basic}` },
      });
      await response.arrayBuffer();
      return response.status;
    }),
  );
  return { asked: answers.length, refused: answers.filter((status) => status === 401).length };
}
