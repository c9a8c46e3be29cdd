/** The angle at a time of a tone that rises from 300 Hz by 1 kHz a second: every moment sounds different. */
export function rising(secs: number): number {
  return 2 * Math.PI * (300 * secs + 500 * secs * secs);
}
