import { createHmac } from "node:crypto";
import { deriveKey } from "#platform";
import type { SecretKey } from "#platform";

/** Stored in place of an address: recognises its mailbox again, and is useless without our keys. */
export interface AddressMarks {
  /**
   * Every mark under which something about the address may be stored; the first one is for storing.
   * The others are those of older keys, and those of earlier releases, which marked the address as it
   * was typed with the key itself, or knew fewer providers: an objection made then must still be found.
   */
  marks(address: string): [Buffer, ...Buffer[]];
}

export function createAddressMarks(keys: readonly [SecretKey, ...SecretKey[]]): AddressMarks {
  const [newest, ...older] = keys;
  const current = (key: SecretKey, mailbox: string): Buffer =>
    hash(deriveKey(key, "address mark"), mailbox);
  return {
    marks: (address) => {
      const mailbox = mailboxOf(address);
      return [
        current(newest, mailbox),
        ...older.map((key) => current(key, mailbox)),
        ...keys.map((key) => current(key, untagged(address).join("@"))),
        ...keys.flatMap(({ key }) => [...new Set([address, mailbox])].map((one) => hash(key, one))),
      ];
    },
  };
}

function hash(key: Buffer, address: string): Buffer {
  return createHmac("sha256", key).update(`svc address mark\n${address}`).digest();
}

/**
 * The mailbox that an address reaches, as far as its spelling tells: somebody could otherwise flood one
 * inbox under thousands of spellings. Never mailed to, only counted: where a server does tell
 * `ada+demo` from `ada`, the two share their limits.
 *
 * @param address as `normalizeEmail` returns it
 */
export function mailboxOf(address: string): string {
  const [name, domain] = untagged(address);
  // Fastmail delivers whatever stands before the @ of ada.fastmail.com to ada@fastmail.com.
  const [, user, fastmail] = /^([^.]+)\.(fastmail\.(?:com|fm|net|org))$/.exec(domain) ?? [];
  if (user !== undefined) return `${user}@${fastmail}`;
  const { ignored = /$/g, host = domain } = PROVIDERS.find(({ hosts }) => hosts.test(domain)) ?? {};
  return `${name.replaceAll(ignored, "") || name}@${host}`;
}

/** Without what stands behind a `+`. */
function untagged(address: string): [name: string, domain: string] {
  const at = address.lastIndexOf("@");
  return [address.slice(0, at).replace(/(?<=.)\+.*$/su, ""), address.slice(at + 1)];
}

/** What providers ignore in a name besides a tag behind `+`, and the one of their domains that stands for all. */
const PROVIDERS: readonly { hosts: RegExp; ignored: RegExp; host?: string }[] = [
  { hosts: /^(?:gmail|googlemail)\.com$/, ignored: /\./g, host: "gmail.com" },
  {
    hosts: /^(?:proton\.me|protonmail\.(?:com|ch)|pm\.me)$/,
    ignored: /[._-]/g,
    host: "proton.me",
  },
  {
    hosts: /^(?:ya\.ru|yandex\.(?:ru|com|by|kz|com\.tr))$/,
    ignored: /[.-]/g,
    host: "yandex.ru",
  },
  // One mailbox of Apple's has all three.
  { hosts: /^(?:icloud|me|mac)\.com$/, ignored: /$/g, host: "icloud.com" },
  // A disposable address of Yahoo is a name, a hyphen and a keyword.
  { hosts: /^(?:yahoo\.[a-z.]{2,6}|ymail\.com|rocketmail\.com)$/, ignored: /-.*$/g },
];
