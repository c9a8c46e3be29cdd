import { createHmac } from "node:crypto";
import type { SecretKey } from "#platform";

/** What is kept in place of an address: enough to know it again, and of no use without our keys. */
export interface AddressMarks {
  /** One for each secret key, the newest first. What was kept under an older key is found by its own. */
  marks(address: string): [Buffer, ...Buffer[]];
}

/** @param keys the same that seal secrets: the purpose is part of what is hashed. */
export function createAddressMarks(keys: readonly [SecretKey, ...SecretKey[]]): AddressMarks {
  const [newest, ...older] = keys;
  const mark = ({ key }: SecretKey, address: string): Buffer =>
    createHmac("sha256", key).update(`svc address mark\n${address}`).digest();
  return {
    marks: (address) => [mark(newest, address), ...older.map((key) => mark(key, address))],
  };
}
