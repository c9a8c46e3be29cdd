import { freePort } from "../free-port.ts";
import { checkPort } from "./check-port.ts";
import type { DevFolder } from "./dev-folder.ts";
import { textAt } from "./svc.ts";
import type { Svc } from "./svc.ts";

/** Registers the stand-in of a receiver with the account, once, and tells it the secret to check with. */
export async function registerReceiver(
  svc: Svc,
  folder: DevFolder,
  { account, url }: { account: string; url: string },
): Promise<void> {
  const known = await folder.readReceiver();
  const secret =
    known?.url === url ? known.secret : await register(svc, folder, { account, url, known });
  await fetch(`${url}/rehearsal/secrets`, {
    method: "PUT",
    body: JSON.stringify({ secrets: [secret] }),
  });
}

/** Its port of the last start, where that is free: it is part of the address that was registered. */
export async function receiverPort(folder: DevFolder): Promise<number> {
  const known = await folder.readReceiver();
  if (known === undefined) return freePort();
  const port = Number(new URL(known.url).port);
  const isFree = await checkPort(port, { what: "the webhook receiver", flag: "--fresh" }).then(
    () => true,
    () => false,
  );
  return isFree ? port : freePort();
}

async function register(
  svc: Svc,
  folder: DevFolder,
  facts: { account: string; url: string; known: { endpointId: string } | undefined },
): Promise<string> {
  const { account, url, known } = facts;
  // Whoever removed it by hand must not be kept from starting.
  if (known !== undefined) {
    await svc("webhooks", "remove", known.endpointId, "--yes").catch(() => {});
  }
  const added = await svc("webhooks", "add", `${url}/hook`, "--account", account);
  const [endpointId, secret] = [textAt(added, "id"), textAt(added, "secret")];
  await folder.writeReceiver({ url, endpointId, secret });
  return secret;
}
