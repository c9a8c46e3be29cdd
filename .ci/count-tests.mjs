// Counts a vitest report and names what failed: count-tests.mjs <report> <failures> <suite> <exit code>
import { appendFileSync, readFileSync } from "node:fs";

const [report, failures, suite, code] = process.argv.slice(2);
const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
const named = testResults.flatMap(({ name, status, assertionResults }) => {
  const file = name.slice(process.cwd().length + 1);
  const failed = assertionResults.filter((test) => test.status === "failed");
  // A file that cannot be loaded fails the run without failing a test.
  if (status === "failed" && failed.length === 0) return [`${file} could not be run`];
  return failed.map((test) => `${file} > ${test.fullName}`);
});
// Nor does an error outside of any test.
if (named.length === 0 && code !== "0") named.push(`ended with ${code}`);
for (const one of named) appendFileSync(failures, `${suite}: ${one}\n`);
console.log(`${numPassedTests} passed, ${Math.max(numFailedTests, named.length)} failed`);
