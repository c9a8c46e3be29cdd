import { setTimeout as delay } from "node:timers/promises";
import { Random } from "@svc/tools/random";
import { settingFaults, storedFaults, undoneWork } from "./doctor/faults.ts";
import type { Fault, StoredFault } from "./doctor/faults.ts";
import { openSoundSystem, untilReported } from "./doctor/sound-system.ts";
import type { Examined, SoundSystem } from "./doctor/sound-system.ts";
import { defineProof } from "./runner/proof.ts";
import type { Tools } from "./runner/proof.ts";
import { ConcurrencyLimit } from "./stage/concurrency-limit.ts";

/** Doctors at once: each loads the command line anew. */
const AT_ONCE = 3;
const LEAST_FAULTS = 40;
/** A process that was killed counts as running for so long. */
const LEASE_MS = 16_000;

/** What came of all examinations. */
class Verdict {
  readonly faults = new Set<string>();
  readonly wrong: string[] = [];
  runs = 0;
  missedControls = 0;

  /** Every fault is found and named, and nothing else is reported. */
  judge(planted: readonly Fault[], examined: readonly Examined[]): void {
    this.runs += 1;
    for (const { name } of planted) this.faults.add(name);
    this.wrong.push(...misjudged(planted, examined));
  }
}

function misjudged(planted: readonly Fault[], examined: readonly Examined[]): string[] {
  const reported = new Map(
    examined
      .filter(({ state }) => state === "warn" || state === "fail")
      .map(({ name, says, fix }) => [name, { says, fix }]),
  );
  const wrong = planted.flatMap(({ name, found }) =>
    Object.entries(found).flatMap(([check, word]) => {
      const finding = reported.get(check);
      const isNamed = word.test(finding?.says ?? "") && finding?.fix !== undefined;
      return isNamed ? [] : [`${name}: ${check} says ${JSON.stringify(finding)}`];
    }),
  );
  const expected = new Set(planted.flatMap(({ found }) => Object.keys(found)));
  const alarms = [...reported].filter(([check]) => !expected.has(check));
  const context = planted.map(({ name }) => name).join(", ") || "nothing";
  return [...wrong, ...alarms.map(([check, { says }]) => `${check} beside ${context}: ${says}`)];
}

async function plantStored(
  { database: { pool }, examine }: SoundSystem,
  faults: readonly StoredFault[],
): Promise<Examined[]> {
  for (const { plant } of faults) await pool.query(plant);
  const examined = await examine();
  for (const { heal } of faults) await pool.query(heal);
  return examined;
}

/** Freezes a process of that role, as if its last report were a minute old, and thaws it afterwards. */
async function freeze(
  { database, processes }: SoundSystem,
  role: keyof SoundSystem["processes"],
  work: () => Promise<void>,
): Promise<void> {
  process.kill(processes[role].pid, "SIGSTOP");
  const old = "UPDATE processes SET renewed_at = now() - interval '1 minute' WHERE role = $1";
  await database.pool.query(old, [role]);
  try {
    await work();
  } finally {
    process.kill(processes[role].pid, "SIGCONT");
    await untilReported(database);
  }
}

const dead = (role: string): Fault => ({
  name: `no ${role} process`,
  found: { [`${role} processes`]: /none runs; .* was last seen/ },
});

const DISK_FULL: Fault = { name: "disk full", found: { "database writes": /disk is full/ } };

async function examineAll(system: SoundSystem, tools: Tools): Promise<Verdict> {
  const { say, timeLeftMs, seed, sized } = tools;
  const verdict = new Verdict();
  const { examine, processes, database, disk, speech } = system;
  const sound = await examine();
  const beSound = async (change = {}): Promise<void> => verdict.judge([], await examine(change));
  verdict.judge([], sound);

  const limit = new ConcurrencyLimit(AT_ONCE);
  // Each takes a process of its own, so the usual size tries some of them, others every night.
  const count = sized({ quick: 22, full: Number.POSITIVE_INFINITY });
  const settings = new Random(seed).pickSeveral(settingFaults(system), count);
  await Promise.all([
    limit.run(() => beSound(speech)),
    ...settings.map((fault) =>
      limit.run(async () => verdict.judge([fault], await examine(fault.settings))),
    ),
  ]);
  say(`${settings.length} faults in the settings: ${verdict.wrong.length} misjudged`);
  for (const faults of storedFaults) {
    verdict.judge(faults, await plantStored(system, faults));
    await beSound();
  }
  await freeze(system, "pipeline", async () =>
    verdict.judge([dead("pipeline"), ...undoneWork], await plantStored(system, undoneWork)),
  );
  for (const role of ["api", "live"] as const)
    await freeze(system, role, async () => verdict.judge([dead(role)], await examine()));
  await disk.fill();
  const full = await examine().finally(() => disk.free());
  verdict.judge([DISK_FULL], full);
  await untilReported(database);
  await beSound();

  const roles = Object.keys(processes) as (keyof typeof processes)[];
  if (timeLeftMs() > 2 * LEASE_MS) {
    for (const role of roles) process.kill(processes[role].pid, "SIGKILL");
    await delay(LEASE_MS);
    verdict.judge(
      roles.map((role) => ({ ...dead(role), name: `${role} killed` })),
      await examine(),
    );
  }
  // The control: where nothing is planted, every fault is missed.
  const all: Fault[] = [...settings, ...storedFaults.flat(), ...undoneWork, DISK_FULL];
  all.push(...roles.map((role) => dead(role)));
  verdict.missedControls = all.filter((fault) => misjudged([fault], sound).length === 0).length;
  return verdict;
}

/** What an operator is told about a running system. */
export default defineProof({
  covers: ["server/src/operator/doctor/", "server/src/platform/", "server/src/webhooks/"],
  claims: {
    "doctor-finds-it": {
      promise:
        "svc doctor finds what is wrong with a running system, names it with what to do, and reports nothing else",
      bound: `${LEAST_FAULTS} or more planted faults, all found and named, 0 false alarms`,
      tier: "nightly",
      timeLimitSecs: { quick: 90 },
      prove: async (tools) => {
        const system = await openSoundSystem(tools.onEnd);
        const { faults, runs, wrong, missedControls } = await examineAll(system, tools);
        for (const one of wrong) tools.say(one);
        return {
          figure: `${faults.size} faults planted, ${wrong.length} missed or reported beside them in ${runs} examinations`,
          ok: faults.size >= LEAST_FAULTS && wrong.length === 0 && missedControls === 0,
          size: `${faults.size} faults`,
        };
      },
    },
  },
});
