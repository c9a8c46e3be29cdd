/** Reads a flag such as `--port 8090`. */
export function wholeNumber(flag: string, text: string, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw new Error(`${flag} takes a whole number up to ${most}, not "${text}".`);
}

/** Reads flags such as `--fault late,afterMs=300` into objects. All settings are numbers but those named. */
export function faultFlags(flags: string[], texts: string[]): Record<string, unknown>[] {
  return flags.map((flag) => {
    const [kind, ...settings] = flag.split(",");
    const pairs = settings.map((setting): [string, unknown] => {
      const [name = "", value = ""] = setting.split("=", 2);
      return [name, texts.includes(name) ? value : Number(value)];
    });
    return { kind, ...Object.fromEntries(pairs) };
  });
}
