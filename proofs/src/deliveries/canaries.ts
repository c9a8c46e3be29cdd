/** A secret that must be seen nowhere. */
export interface Canary {
  name: string;
  secret: string;
}

/** Something that people or programs can read. */
export interface Readable {
  where: string;
  text: string;
}

/** Which secrets can be read where, in whatever form. */
export function findCanaries(
  readables: readonly Readable[],
  canaries: readonly Canary[],
): string[] {
  return readables.flatMap(({ where, text }) => {
    const lowered = text.toLowerCase();
    return canaries.flatMap(({ name, secret }) => {
      const form = formsOf(secret).find(({ written, anyCase }) =>
        (anyCase ? lowered : text).includes(written),
      );
      return form === undefined ? [] : [`${name} ${form.how} in ${where}`];
    });
  });
}

interface Form {
  how: string;
  written: string;
  anyCase?: boolean;
}

/** As it is, and as dumps, logs and addresses write it; with the key that its base64 stands for, where it is one. */
function formsOf(secret: string): Form[] {
  const bare = secret.replace(/^whsec_/, "");
  const key = Buffer.from(bare, "base64");
  const isKey = key.length >= 16 && key.toString("base64") === bare;
  return [
    { how: "plain", written: bare },
    { how: "in an address", written: encodeURIComponent(bare) },
    { how: "in base64", written: base64Inside(secret) },
    { how: "in hex", written: hex(Buffer.from(bare)), anyCase: true },
    ...(isKey ? [{ how: "as its key in hex", written: hex(key), anyCase: true }] : []),
  ];
}

/** The part that does not depend on what stands behind it. */
function base64Inside(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.subarray(0, bytes.length - (bytes.length % 3)).toString("base64");
}

function hex(bytes: Buffer): string {
  return bytes.toString("hex");
}
