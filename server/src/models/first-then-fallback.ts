/** The first, and the fallback where there is one. */
export function everyone<Config>({
  first,
  fallback,
}: {
  first: Config;
  fallback: Config | undefined;
}): Config[] {
  return fallback === undefined ? [first] : [first, fallback];
}
