import { chmod, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@svc/tools/free-port";
import { defineProof } from "./runner/proof.ts";
import { seconds } from "./runner/table.ts";
import { freshClone, installPackages, linkPackages, processesOf, startDev } from "./start/clone.ts";
import type { DevProcess } from "./start/clone.ts";
import { followReadme } from "./start/readme.ts";
import { fetchCsv, readStartPage, tryFirstExport, tryTheRest } from "./start/start-page.ts";

const MAX_SECS = 60;
const STRANGER_SECS = 300;
/** What a start in a closed checkout may take on a slow machine. */
const CLOSED_MS = 30_000;

export default defineProof({
  covers: ["README.md", "package.json", "rehearsal/", "server/src/", "tools/src/"],
  claims: {
    "dev-starts": {
      promise:
        "One command takes a fresh clone to a first export, and ctrl-C leaves nothing running.",
      bound: `first export ≤ ${MAX_SECS} s, 0 faults, control seen`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, timeLeftMs, onEnd }) => {
        const clone = await freshClone();
        onEnd(() => rm(clone, { recursive: true, force: true }));
        onEnd(() => endAll(clone));
        const installedAt = performance.now();
        await (full ? installPackages(clone) : linkPackages(clone));
        if (full) say(`npm ci: ${seconds(performance.now() - installedAt)}`);

        const faults: string[] = [];
        const fault = (text: string): void => {
          say(`fault: ${text}`);
          faults.push(text);
        };
        const ports = { server: await freePort(), page: await freePort() };
        const flags = ["--port", String(ports.server), "--page-port", String(ports.page)];
        const start = async () => {
          const startedAt = performance.now();
          const dev = startDev(clone, flags);
          const page = await readStartPage(await dev.startPage());
          await tryFirstExport(clone, page);
          return { dev, page, firstExportMs: performance.now() - startedAt };
        };
        const seeStopped = async (dev: DevProcess, how: string): Promise<void> => {
          const { code, tookMs } = await dev.exited();
          const left = await processesOf(clone);
          say(
            `${how}: stopped after ${seconds(tookMs)} with ${code}, ${left.length} processes left`,
          );
          if (code !== 0) fault(`${how}: exit code ${code}\n${dev.output()}`);
          for (const { pid, command } of left) fault(`${how}: left ${pid} ${command}`);
          for (const port of Object.values(ports)) {
            if (await answers(port)) fault(`${how}: port ${port} still answers`);
          }
        };

        const first = await start();
        say(`first start: first export after ${seconds(first.firstExportMs)}`);
        const exported = await fetchCsv(first.page);
        for (const text of await tryTheRest(clone, first.page)) fault(text);
        const control = await processesOf(clone);
        say(`control: ${control.length} processes seen while it runs`);
        first.dev.signal("SIGINT");
        await seeStopped(first.dev, "ctrl-C");

        const second = await start();
        say(`second start: first export after ${seconds(second.firstExportMs)}`);
        if (second.page.token !== first.page.token) fault("the second start has another token");
        if ((await fetchCsv(second.page)) !== exported)
          fault("the second start exports other data");
        await seeRefused(startDev(clone, flags), "already runs in this folder", fault);
        process.kill(second.dev.pid, "SIGTERM");
        await seeStopped(second.dev, "SIGTERM to npm alone");

        const other = createServer().listen(ports.server, "127.0.0.1");
        await once(other, "listening");
        await seeRefused(startDev(clone, flags), `Process ${process.pid} listens on it`, fault);
        other.close();
        for (const { command } of await processesOf(clone)) fault(`a taken port left ${command}`);

        const cutShort = startDev(clone, [...flags, "--fresh"]);
        while (!cutShort.output().includes("Svc for development")) await delay(20);
        cutShort.signal("SIGINT");
        await seeStopped(cutShort, "ctrl-C while it starts");

        if (process.getuid?.() === 0 && (full || timeLeftMs() > CLOSED_MS)) {
          // Root runs PostgreSQL as nobody, who cannot enter a checkout below /root. It must also seed
          // anew, after the start that was cut short.
          await chmod(clone, 0o700);
          const closed = await start();
          const data = /new in (\/\S+)/.exec(closed.dev.output())?.[1];
          onEnd(() => data !== undefined && rm(data, { recursive: true, force: true }));
          say(
            `closed checkout: first export after ${seconds(closed.firstExportMs)}, data in ${data}`,
          );
          closed.dev.signal("SIGINT");
          await seeStopped(closed.dev, "ctrl-C in a closed checkout");
        }

        const slowestMs = Math.max(first.firstExportMs, second.firstExportMs);
        return {
          figure: `first export after ${seconds(first.firstExportMs)}, again after ${seconds(second.firstExportMs)}, ${faults.length} faults`,
          ok: slowestMs <= MAX_SECS * 1_000 && faults.length === 0 && control.length > 0,
          size: full ? "after npm ci" : "with linked packages",
        };
      },
    },

    "stranger-starts-in-five": {
      promise:
        "Whoever follows the README in an empty home directory talks with an agent, has one of their own, and receives its verified webhook, within five minutes",
      bound: `≤ ${STRANGER_SECS} s without the download of packages, 0 faults; a forged webhook is refused`,
      timeLimitSecs: { quick: 300 },
      tier: "nightly",
      prove: async ({ full, say, onEnd }) => {
        const clone = await freshClone();
        onEnd(() => rm(clone, { recursive: true, force: true }));
        onEnd(() => endAll(clone));
        const installedAt = performance.now();
        await (full ? installPackages(clone) : linkPackages(clone));
        const installMs = performance.now() - installedAt;
        const { steps, isForgedRefused } = await followReadme(clone, onEnd);
        for (const [what, ms] of steps) say(`${what}: ${seconds(ms)}`);
        say(`control: a forged webhook is ${isForgedRefused ? "refused" : "taken"}`);
        const tookMs = steps.reduce((sum, [, ms]) => sum + ms, 0);
        const install = full ? `, npm ci ${seconds(installMs)}` : "";
        return {
          figure: `${seconds(tookMs)} in ${steps.length} steps${install}`,
          ok: tookMs <= STRANGER_SECS * 1_000 && isForgedRefused,
          size: full ? "after npm ci" : "with linked packages",
        };
      },
    },
  },
});

/** It ends by itself, says why in three lines, and names what is in the way. */
async function seeRefused(
  dev: DevProcess,
  words: string,
  fault: (text: string) => void,
): Promise<void> {
  const { code } = await dev.exited();
  const output = dev.output();
  const isExplained = /^Error: .+\nWhy: .+\nDo: .+/m.test(output) && output.includes(words);
  if (code === 0 || !isExplained) fault(`not explained, exit code ${code}:\n${output}`);
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}

async function endAll(clone: string): Promise<void> {
  for (const { pid } of await processesOf(clone)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended with its parent.
    }
  }
}
