/**
 * Addresses that no request of ours may go to: those that are known to get past such guards, and
 * those that Svix, Smokescreen and Hook0 test theirs with, also where one of them lets it through.
 */
export const FORBIDDEN: string[] = [
  // This machine, this network.
  "0.0.0.0 0.1.2.3 127.0.0.1 127.0.0.254 127.0.1.1 127.254.254.254 127.255.255.255 :: ::1",
  // Private.
  "10.0.0.1 10.0.1.1 10.254.0.0 172.16.0.1 172.16.5.4 172.16.10.65 172.31.255.255 192.168.0.1",
  "192.168.1.1 192.168.1.100 192.168.10.65 fc00::1 fd7a:115c:a1e0::1 fdee:3a45:9057::1",
  // Link-local and site-local; where clouds keep their credentials.
  "169.254.1.1 169.254.45.1 169.254.169.254 fe80::1 fe80::dead:beef febf:ffff::dead:beef fec0::1",
  "fd00:ec2::254 fd20:ce::254 100.100.100.200 192.0.0.192",
  // Shared by carriers.
  "100.64.0.1 100.64.0.100 100.100.0.0 100.127.255.254",
  // Protocols, relays, documentation, benchmarks.
  "192.0.0.0 192.0.0.1 192.0.0.255 192.0.2.1 192.0.2.255 192.88.99.1 192.88.99.3 198.18.0.0",
  "198.18.0.1 198.19.255.255 198.51.100.1 198.51.100.65 203.0.113.1 203.0.113.6 2001::1",
  "2001:1::1 2001:2::1 2001:3::1 2001:4:112::1 2001:20::1 2001:2f::1 2001:1ff::1 2001:db8::1",
  "3fff::1 3fff::dead:beef 3fff:fff::1 2620:4f:8000::1",
  // Multicast, reserved, broadcast.
  "224.0.0.1 224.1.2.3 233.252.0.16 239.255.255.250 240.0.0.1 240.240.240.240 255.255.255.255",
  "ff02::1 ff02::2 ff0e::1 5f00::1 5f00::dead:beef 100::1 100::1:2:3:4 1::1 0:0:0:1::1 ff:ffff::1",
  // An IPv4 address inside an IPv6 one: mapped, compatible, translated, ISATAP.
  "::ffff:127.0.0.1 ::ffff:0.0.0.1 ::ffff:169.254.169.254 ::ffff:8.8.8.8 ::7f00:1 ::a9fe:a9fe",
  "::ffff:0:7f00:1 ::ffff:0:a9fe:a9fe ::ffff:0:5db8:d822 ::5efe:7f00:1 ::5efe:a9fe:a9fe",
  // NAT64, 6to4, Teredo.
  "64:ff9b:: 64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b::ac1c:5 64:ff9b::c000:201 64:ff9b::c0a8:0",
  "64:ff9b::a9fe:a9fe 64:ff9b::e000:1 64:ff9b::c058:6301 64:ff9b::808:808 64:ff9b::5db8:d822",
  "64:ff9b::ffff:ffff 64:ff9b:0:1::1 64:ff9b:1::1 64:ff9b:1::dead:beef 2002:7f00:1::1",
  "2002:a00:1::1 2002:a9fe:a9fe::1 2002:c000:201::1 2002:c0a8:1::dead:beef 2002:808:808::1",
  "2002:5db8:d822::1 2001:0:7f00:1::1 2001:0:4136:e378:8000:63bf:3fff:fdd2",
].flatMap((line) => line.split(" "));

/** Public addresses, some of them next to ranges that are not, that a request must reach. */
export const ALLOWED: string[] = [
  "1.1.1.1 8.8.8.8 93.184.216.34 100.63.255.254 100.128.0.1 192.88.98.255 192.88.100.1",
  "223.255.255.255 2001:200::1 2001:4860:4860::8888 2606:4700:4700::1111 3fff:1000::1",
].flatMap((line) => line.split(" "));

/** The ways to write an address as the host of a URL, the plain one first. */
export function spellingsOf(address: string): string[] {
  const spellings = address.includes(":") ? ipv6Spellings(address) : ipv4Spellings(address);
  // A spelling that means another address, or is no URL, would be refused for that alone.
  const hostOf = (host: string): string => new URL(`http://${host}/`).hostname;
  const meant = [spellings[0]!, address.includes(":") ? "[::]" : `[::ffff:${address}]`].map(hostOf);
  const wrong = spellings.find((host) => !meant.includes(hostOf(host)));
  if (wrong !== undefined) throw new Error(`${wrong} does not mean ${address}`);
  return spellings;
}

function ipv4Spellings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const octal = (part: number): string => `0${part.toString(8)}`;
  const hex = (part: number): string => `0x${part.toString(16)}`;
  return [
    address,
    `${address}.`,
    String(number),
    hex(number),
    octal(number),
    [a, b, c, d].map(octal).join("."),
    [a, b, c, d].map(hex).join("."),
    `${hex(a)}.${octal(b)}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    address.replaceAll(".", "。"),
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    `[::ffff:${address}]`,
  ];
}

function ipv6Spellings(address: string): string[] {
  // The URL parser writes an IPv4 tail in hex and shortens zeros.
  const short = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = "", tail = ""] = short.split("::");
  const groups = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const missing = short.includes("::") ? 8 - groups(head).length - groups(tail).length : 0;
  const all = [...groups(head), ...Array.from({ length: missing }, () => "0"), ...groups(tail)];
  const [high = 0, low = 0] = all.slice(6).map((group) => Number.parseInt(group, 16));
  const dotted = [high >> 8, high & 255, low >> 8, low & 255].join(".");
  return [
    `[${address}]`,
    `[${short.toUpperCase()}]`,
    `[${all.map((group) => group.padStart(4, "0")).join(":")}]`,
    `[${all.slice(0, 6).join(":")}:${dotted}]`,
  ];
}
