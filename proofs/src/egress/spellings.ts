/** The ways to write an address as the host of a URL, the plain one first. */
export function spellingsOf(address: string): string[] {
  return address.includes(":") ? ipv6Spellings(address) : ipv4Spellings(address);
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
