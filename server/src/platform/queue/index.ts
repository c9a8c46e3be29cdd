export { type Claim, ClaimLost } from "./job.ts";
export { forgetJobs } from "./queue-database.ts";
export { hasRunner, type JobCounts, queueDepth } from "./queue-database.ts";
export { installQueue } from "./boss.ts";
export { defineJob, type Job, type JobQueue } from "./job.ts";
export { bind, type BoundJob, type JobRunner, startJobRunner } from "./job-runner.ts";
export { createJobSender, type JobSender } from "./job-sender.ts";
