import { setTimeout as delay } from "node:timers/promises";
import { startNameServer } from "@svc/rehearsal";
import { TEST_SECRET_KEYS } from "@svc/server/testing";
import { plantedNoticed, walkInText } from "../journeys/api-journey.ts";
import { openWholeProduct } from "../product/whole-product.ts";
import type { WholeProduct } from "../product/whole-product.ts";
import type { Outcome } from "../runner/proof.ts";
import { TALKS } from "../talk/talks.ts";
import { Visitor } from "../talk/visitor.ts";
import { runContainer, startContainer } from "./container.ts";
import type { Container, ContainerOptions, Image } from "./container.ts";
import { rightsOf } from "./image.ts";
import type { InsideTools } from "./namespace.ts";
import { answers } from "./one-machine.ts";

const PORTS = { api: "8080", live: "8081", pipeline: "8082" };
const OPERATIONS = { api: "9464", live: "9465", pipeline: "9466" };
type Role = keyof typeof PORTS;
const PUBLIC_URL = `http://127.0.0.1:${PORTS.api}`;
const LIVE_URL = `ws://127.0.0.1:${PORTS.live}/sdk/v1/live`;

/** The image with each role, from its migrations to its end. */
export async function proveImage({ say, onEnd }: InsideTools, image: Image): Promise<Outcome> {
  const faults: string[] = [];
  const product = await openWholeProduct(onEnd, { SVC_ROLE: "api" });
  const names = await startNameServer();
  onEnd(() => names.close());
  const settings = settingsFor(product, names.server);

  const migrated = await runContainer(image, {
    ...settings("api"),
    command: ["svc", "db", "migrate"],
  });
  if (migrated.code !== 0) throw new Error(`svc db migrate: ${migrated.output}`);
  const start = async (role: Role): Promise<Container> => {
    const container = startContainer(image, settings(role));
    onEnd(() => container.kill("SIGKILL"));
    await answers(`http://127.0.0.1:${OPERATIONS[role]}/readyz`, container.ended).catch(() => {
      throw new Error(`${role} did not start: ${container.output().slice(-2_000)}`);
    });
    return container;
  };
  const roles = {
    api: await start("api"),
    live: await start("live"),
    pipeline: await start("pipeline"),
  };
  const health = (role: Role): Promise<{ code: number | null }> =>
    runContainer(image, { ...settings(role), command: image.config.Healthcheck!.Test.slice(1) });
  for (const role of Object.keys(roles) as Role[]) {
    const { isReadOnly, user } = rightsOf(roles[role].pid);
    if (!isReadOnly) faults.push(`${role} may write`);
    if (user === "0") faults.push(`${role} runs as root`);
    if ((await health(role)).code !== 0) faults.push(`${role} is not healthy`);
  }

  faults.push(...(await judgeVoice(image, settings("live"))));
  const walked = await walkInText(
    { ...product, server: { ...product.server, url: PUBLIC_URL } },
    TALKS[0]!,
  );
  faults.push(...walked.faults);
  const noticed = plantedNoticed(walked.delivered, walked.expected);
  faults.push(...(await judgeDraining(product, roles.live)));
  for (const role of ["api", "pipeline"] as const) {
    roles[role].kill("SIGTERM");
    const code = await roles[role].ended;
    if (code !== 0) faults.push(`${role} stopped with ${code}`);
  }
  for (const fault of faults) say(`fault: ${fault}`);

  const controls = [
    (await health("api")).code !== 0,
    (await mayWrite(image, { user: "0:0", isWritable: true })) && !(await mayWrite(image, {})),
    noticed === "4 of 4",
  ];
  say(
    `control: a stopped process is not healthy, a container with rights writes, wrong deliveries: ${controls.join(", ")}`,
  );
  return {
    figure: `${faults.length} faults in three roles`,
    ok: faults.length === 0 && controls.every(Boolean),
  };
}

/** Secrets come as files, as an orchestrator hands them over. */
function settingsFor(product: WholeProduct, nameServer: string): (role: Role) => ContainerOptions {
  const { database } = product.stage;
  return (role) => ({
    secrets: {
      database: `${database.url}\n`,
      "export-database": `${database.exportUrl}\n`,
      keys: `${TEST_SECRET_KEYS}\n`,
    },
    environment: {
      SVC_ROLE: role,
      SVC_MIGRATE: "off",
      SVC_DATABASE_URL_FILE: "/run/secrets/database",
      SVC_EXPORT_DATABASE_URL_FILE: "/run/secrets/export-database",
      SVC_SECRET_KEYS_FILE: "/run/secrets/keys",
      SVC_PUBLIC_URL: PUBLIC_URL,
      SVC_LIVE_URL: LIVE_URL,
      SVC_PORT: PORTS[role],
      // The three share one network here.
      SVC_OPS_PORT: OPERATIONS[role],
      SVC_MODEL_URL: product.model.baseUrl,
      SVC_EVALUATION_MODEL: "rehearsal",
      SVC_DNS_SERVERS: nameServer,
      SVC_WEBHOOK_PLAIN_HTTP: "on",
      SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
    },
  });
}

/** A stopping `live` lets a visitor talk on, takes no other, and ends with 0 when the visitor has gone. */
async function judgeDraining({ agentId }: WholeProduct, live: Container): Promise<string[]> {
  const faults: string[] = [];
  const visitor = await Visitor.enter(PUBLIC_URL, { agentId, language: "en" });
  await visitor.listen();
  live.kill("SIGTERM");
  const ready = `http://127.0.0.1:${OPERATIONS.live}/readyz`;
  while ((await fetch(ready)).status !== 503) await delay(20);
  const heard = visitor.screen.turns("assistant").length;
  await visitor.say("How do I add it to my page?");
  if (visitor.screen.turns("assistant").length <= heard)
    faults.push("a stopping call is not answered");
  const another = await Visitor.enter(PUBLIC_URL, { agentId, language: "en" }).catch(
    () => undefined,
  );
  if (another !== undefined) faults.push("a stopping process takes another visitor");
  await visitor.end();
  visitor.leave();
  const code = await live.ended;
  if (code !== 0) faults.push(`live stopped with ${code}`);
  return faults;
}

/** An image without what voice needs must say so at once, not when a visitor speaks. */
async function judgeVoice(image: Image, live: ContainerOptions): Promise<string[]> {
  const SVC_STT = "deepgram";
  const environment = { ...live.environment, SVC_STT, SVC_TTS: "cartesia", SVC_OPS_PORT: "0" };
  const { code, output } = await runContainer(image, {
    ...live,
    environment: { ...environment, SVC_PORT: "0" },
  });
  const isTold = output.includes("--target voice");
  return code !== 0 && isTold ? [] : [`asked for voice, the image for text ended with ${code}`];
}

async function mayWrite(image: Image, options: ContainerOptions): Promise<boolean> {
  const command = ["sh", "-c", "touch /svc/written && rm /svc/written"];
  return (await runContainer(image, { ...options, command })).code === 0;
}
