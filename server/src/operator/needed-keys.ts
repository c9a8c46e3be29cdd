import { AppError } from "#platform";
import type { SecretKey } from "#platform";

/** @param what Is stored under those keys only, such as "webhook secrets". */
export function neededKeys(
  keys: [SecretKey, ...SecretKey[]] | undefined,
  what: string,
): [SecretKey, ...SecretKey[]] {
  if (keys !== undefined) return keys;
  throw new AppError("invalid_input", {
    what: `svc cannot handle ${what}.`,
    why: `SVC_SECRET_KEYS is not set, and ${what} are stored under those keys only.`,
    fix: 'Set it as the pipeline has it. The first time: SVC_SECRET_KEYS="k1:$(openssl rand -base64 32)".',
  });
}
