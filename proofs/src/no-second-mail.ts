import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Random } from "@svc/tools/random";
import { Fleet } from "./kills/fleet.ts";
import type { Failpoints } from "./kills/fleet.ts";
import { onceFaults } from "./mail/judge-once.ts";
import { LISTED_AT_MOST, listUnknown } from "./mail/list-unknown.ts";
import { openMailWorld } from "./mail/mail-world.ts";
import { mailsBySession, readMailed, untilMailed } from "./mail/mailed-sessions.ts";
import { startNaiveControl } from "./mail/naive-control.ts";
import { endTalksWithAddresses } from "./mail/steady-mails.ts";
import { defineProof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

const PER_SECOND = 5;
const MOST_MS_BETWEEN = 1_000;
/** For the last orphans: a lease, its recovery, and their mail. */
const FINISH_WITHIN_MS = 30_000;
const FAILPOINTS: Failpoints = {
  "follow-up:claimed": 0.8,
  "follow-up:sending": 0.8,
  "follow-up:sent": 0.8,
  "follow-up:recording": 0.8,
  "follow-up:recorded": 0.8,
};
/** Twenty at all five places on a free machine; a busy one has not the time for as many. */
const ENOUGH_KILLS = 8;
const ENOUGH_PLACES = 3;

// K11
export default defineProof({
  covers: [],
  claims: {
    "no-second-mail": {
      promise: "No session is mailed twice, whatever is killed while its mail is handed over",
      bound: "0 second mails, every unknown one listed",
      timeLimitSecs: { quick: 90, full: 2700 },
      tier: "nightly",
      prove: async ({ seed, full, say, progress, onEnd, timeLeftMs }) => {
        const wanted = full ? 2_000 : 20;
        const random = new Random(seed);
        const stage = await openStage({ durable: true });
        onEnd(() => stage.close());
        const { database } = stage;
        const { catcher, customer, environment } = await openMailWorld(database, onEnd);
        // Slow enough to be killed while it takes one, and sometimes gone itself before it says so.
        catcher.setFaults([
          { kind: "cut", share: 0.03 },
          { kind: "late", afterMs: 300, share: 0.5 },
        ]);

        const directory = await mkdtemp(join(tmpdir(), "svc-compiled-"));
        onEnd(() => rm(directory, { recursive: true, force: true }));
        const fleet = new Fleet(
          database,
          { NODE_COMPILE_CACHE: directory, ...environment },
          FAILPOINTS,
        );
        onEnd(() => fleet.stop());
        await fleet.prepare();
        for (const failpoints of [true, true, false, false]) fleet.keep({ failpoints });
        await fleet.ready();
        const control = await startNaiveControl(database);
        onEnd(() => control.stop());
        const endTalks = endTalksWithAddresses(database, customer, PER_SECOND);
        while (fleet.deaths.length < wanted && timeLeftMs() > FINISH_WITHIN_MS) {
          await delay(random.integer(0, MOST_MS_BETWEEN));
          const working = fleet.working();
          // Somebody stays: with nobody there is nothing to recover by.
          if (working.length > 1) random.pick(working).signal("SIGKILL");
          progress(fleet.deaths.length, wanted, "kills");
        }
        const kills = fleet.deaths.length;
        fleet.calm();
        await endTalks();
        await untilMailed(database, () => timeLeftMs() > 0);

        const sessions = await readMailed(database);
        const mails = mailsBySession(catcher);
        const copiesOf = (id: string): number => mails.get(id)?.length ?? 0;
        const doubled = sessions.filter(({ id }) => copiesOf(id) > 1).length;
        const unknown = sessions.filter(({ state }) => state === "unknown").map(({ id }) => id);
        const listed = await listUnknown(database, directory);
        const wrongly = listed.filter((id) => !unknown.includes(id)).length;
        const hidden = Math.min(unknown.length, LISTED_AT_MOST) - (listed.length - wrongly);
        const faults = [
          ...sessions.flatMap((session) => onceFaults(session, copiesOf(session.id))),
          ...fleet.faults,
        ];
        const naive = control.counts();
        await fleet.stop();

        const places = Object.keys(FAILPOINTS).map(
          (name) => `${name} ${fleet.diedAt.get(name) ?? 0}`,
        );
        say(`${kills} kills, of these ${places.join(", ")}; seed ${seed}`);
        const arrived = unknown.filter((id) => copiesOf(id) === 1).length;
        say(
          `${sessions.length} sessions, ${catcher.counts().mails} mails; ${unknown.length} unknown, of which ${arrived} had arrived; listed ${listed.length}`,
        );
        say(
          `control, noted once it is sent: ${naive.doubled} of ${naive.sent} mails came more than once`,
        );
        for (const fault of faults.slice(0, 10)) say(`fault: ${fault}`);

        return {
          figure: `${doubled} second mails in ${sessions.length} sessions after ${kills} kills, ${unknown.length} unknown, ${hidden} of them not listed, ${faults.length} faults; control sent ${naive.doubled} twice`,
          ok:
            doubled + hidden + wrongly + faults.length === 0 &&
            arrived > 0 &&
            kills >= ENOUGH_KILLS &&
            fleet.diedAt.size >= ENOUGH_PLACES &&
            naive.doubled > 0,
          size: `${kills.toLocaleString("en")} kills, ${sessions.length.toLocaleString("en")} sessions`,
        };
      },
    },
  },
});
