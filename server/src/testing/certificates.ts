import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Named apart from the call: the check for unused packages takes a literal for a package's program.
const OPENSSL = "openssl";

export interface KeyAndCertificate {
  key: string;
  cert: string;
}

/** A certificate authority of our own, and what it has issued. Made by openssl. */
export interface Certificates {
  authority: KeyAndCertificate;
  /** `names` as in a certificate: `DNS:receiver.test`, `IP:127.0.0.1`. */
  issue(names: string[], validDays?: number): KeyAndCertificate;
  selfSigned(names: string[]): KeyAndCertificate;
  /** Removes its folder. */
  remove(): void;
}

export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), "svc-certificates-"));
  const openssl = (...args: string[]): void =>
    void execFileSync(OPENSSL, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const read = (name: string): KeyAndCertificate => ({
    key: readFileSync(join(folder, `${name}.key`), "utf8"),
    cert: readFileSync(join(folder, `${name}.pem`), "utf8"),
  });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  let count = 0;

  function signedByItself(names: string[]): KeyAndCertificate {
    const name = `self-${++count}`;
    const extensions = names.length === 0 ? [] : ["-addext", `subjectAltName=${names.join(",")}`];
    const files = ["-keyout", `${name}.key`, "-out", `${name}.pem`];
    const validity = ["-days", "2", "-subj", `/CN=${name}`];
    openssl("req", "-x509", ...newKey, ...files, ...validity, ...extensions);
    return read(name);
  }

  const authority = signedByItself([]);
  return {
    authority,
    selfSigned: signedByItself,
    issue(names, validDays = 2) {
      const name = `issued-${++count}`;
      writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${names.join(",")}\n`);
      const request = ["-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`];
      openssl("req", ...newKey, ...request);
      const signer = ["-CA", "self-1.pem", "-CAkey", "self-1.key", "-CAcreateserial"];
      const files = ["-in", `${name}.csr`, "-out", `${name}.pem`, "-extfile", `${name}.ext`];
      openssl("x509", "-req", ...signer, ...files, "-days", String(validDays));
      return read(name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
