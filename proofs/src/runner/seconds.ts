/** "0.4 s", "12 s", "3 min 20 s" */
export function seconds(ms: number): string {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const whole = Math.round(ms / 1_000);
  if (whole < 100) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
