import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface KeyAndCertificate {
  key: string;
  cert: string;
}

/** Certificates as a receiver may have them, and the authority that issued those it did issue. */
export interface Certificates {
  /** PEM. */
  authority: string;
  /** The same, for NODE_EXTRA_CA_CERTS. */
  authorityFile: string;
  good: KeyAndCertificate;
  expired: KeyAndCertificate;
  selfSigned: KeyAndCertificate;
  wrongHost: KeyAndCertificate;
  /** Removes the folder that they are in. */
  remove(): Promise<void>;
}

const run = promisify(execFile);
const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** Made by openssl, for these names beside localhost and 127.0.0.1. */
export async function makeCertificates(hostNames: string[] = []): Promise<Certificates> {
  const names = ["localhost", ...hostNames].map((name) => `DNS:${name}`).concat("IP:127.0.0.1");
  const folder = await mkdtemp(join(tmpdir(), "svc-rehearsal-"));
  const openssl = (...args: string[]): Promise<unknown> => run("openssl", args, { cwd: folder });
  const read = async (name: string): Promise<KeyAndCertificate> => ({
    key: await readFile(join(folder, `${name}.key`), "utf8"),
    cert: await readFile(join(folder, `${name}.pem`), "utf8"),
  });
  const filesOf = (name: string): string[] => ["-keyout", `${name}.key`, "-subj", `/CN=${name}`];

  async function selfSigned(name: string, ...extensions: string[]): Promise<KeyAndCertificate> {
    const out = ["-out", `${name}.pem`, "-days", "30"];
    await openssl("req", "-x509", ...newKey, ...filesOf(name), ...out, ...extensions);
    return read(name);
  }

  async function issued(name: string, hosts: string[], days = 30): Promise<KeyAndCertificate> {
    await writeFile(join(folder, `${name}.ext`), `subjectAltName=${hosts.join(",")}\n`);
    await openssl("req", ...newKey, ...filesOf(name), "-out", `${name}.csr`);
    const signer = ["-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial"];
    const files = ["-in", `${name}.csr`, "-out", `${name}.pem`, "-extfile", `${name}.ext`];
    await openssl("x509", "-req", ...signer, ...files, "-days", String(days));
    return read(name);
  }

  const authority = await selfSigned("authority");
  return {
    authority: authority.cert,
    authorityFile: join(folder, "authority.pem"),
    // One after the other: they share the authority's file of serial numbers.
    good: await issued("good", names),
    expired: await issued("expired", names, -1),
    wrongHost: await issued("wrong-host", ["DNS:somebody-else.test"]),
    selfSigned: await selfSigned("self-signed", "-addext", `subjectAltName=${names.join(",")}`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
