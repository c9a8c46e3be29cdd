import { openMailHarness, startMailServer } from "@svc/server/testing";
import { environmentOf, PASSWORDS } from "./scenario.ts";
import type { Scenario } from "./scenario.ts";

interface List {
  mails: { session_id: string; state: string }[];
  more: boolean;
}

interface Changed {
  changed: boolean;
}

interface Suppressed {
  total: number;
  days: { source: string; count: number }[];
}

const STATES = ["waiting", "sending", "sent", "refused", "unknown", "skipped"];
const VICTIM = "victim@umbrella.example";

/** On a database of its own, with a mail server that is there and one that is not. */
export const mail: Scenario = async ({ stage, judge: plain }) => {
  const database = await stage.cloneDatabase();
  const judge = plain.in({ environment: environmentOf(database) });
  const server = await startMailServer();
  const harness = await openMailHarness(database, { agent: { name: "Umbrella" } });
  try {
    const [first, second] = [
      await harness.play("ada@umbrella.example"),
      await harness.play(VICTIM),
    ];
    const umbrella = ["--account", "umbrella"];
    await judge.tells(["mail", "suppress", VICTIM, ...umbrella], ["No more mails of Umbrella"]);
    const again = await judge.answers<Changed>(["mail", "suppress", VICTIM, ...umbrella]);
    judge.check(!again.changed, "suppressing twice is told as two changes");
    await harness.runAll();

    const list = ["mail", "list"];
    const told = await judge.answers<List>([...list, ...umbrella, "--since", "1h"]);
    judge.same(
      told.mails.map(({ session_id: id, state }) => [id, state]),
      [
        [second, "skipped"],
        [first, "sent"],
      ],
      "mail list",
    );
    await judge.tells(list, ["STATE", "suppressed", "Umbrella"]);
    const { more } = await judge.answers<List>([...list, "--limit", "1"]);
    judge.check(more, "mail list does not tell that there is more");
    for (const state of STATES) {
      const { mails } = await judge.answers<List>([...list, "--state", state]);
      const wanted = state === "sent" || state === "skipped" ? 1 : 0;
      judge.check(mails.length === wanted, `mail list --state ${state}: ${mails.length}`);
    }
    await judge.tells(["mail", "show", first], ["sent", "the mail server took it"]);
    await judge.tells(["sessions", "show", second], ["this person wants no mail of the account"]);

    const counted = await judge.answers<Suppressed>(["mail", "suppressed", ...umbrella]);
    judge.same(
      [counted.total, counted.days.map(({ source, count }) => [source, count])],
      [1, [["operator", 1]]],
      "mail suppressed",
    );
    await judge.tells(["mail", "allow", VICTIM, ...umbrella], ["may go to that address again"]);
    const allowed = await judge.answers<Changed>(["mail", "allow", VICTIM, ...umbrella]);
    judge.check(!allowed.changed, "allowing twice is told as two changes");
    await judge.tells(["mail", "suppressed", ...umbrella], ["Nobody has unsubscribed."]);

    const test = ["mail", "test", "--to", "you@umbrella.example"];
    const environment = {
      ...environmentOf(database),
      SVC_SMTP_URL: `smtp://svc:${PASSWORDS.mail}@127.0.0.1:${server.port}`,
      SVC_MAIL_FROM: "Umbrella <hello@umbrella.example>",
      SVC_SMTP_TLS: "off",
    };
    const sending = judge.in({ environment });
    await sending.tells(test, ["took the mail. It said: 250"]);
    judge.same(
      server.mails.map(({ to }) => to),
      [["you@umbrella.example"]],
      "mail test",
    );
    const { out } = await sending.run(["doctor"]);
    judge.check(out.includes("lets us in"), `the doctor does not reach the mail server:\n${out}`);
    const refusing = judge.in({ environment: { ...environment, SVC_SMTP_TLS: "on" } });
    await refusing.tells(test, ["did not take the mail", "(to STARTTLS)"], 1);
    await refusing.run([...test, "--json"]);

    await Promise.all([
      judge.refuses(test, 2, "There is no mail server to try."),
      judge.refuses(["mail", "test", "--to", "nobody"], 2, "That is no mail address."),
      judge.refuses(["mail", "show", UNKNOWN], 1, "No mail was ordered"),
      judge.refuses(
        ["mail", "suppress", "a, b@c.example", ...umbrella],
        2,
        "That is no mail address.",
      ),
    ]);
  } finally {
    await server.close();
  }
};

const UNKNOWN = "01932c1e-7d3a-7c40-9f5e-3b1a2c4d5e6f";
