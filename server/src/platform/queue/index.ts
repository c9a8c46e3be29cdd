export { type Claim, ClaimLost } from "./claim.ts";
export { forgetJobs } from "./forget-jobs.ts";
export { hasRunner } from "./has-runner.ts";
export { installQueue } from "./install-queue.ts";
export { defineJob, type Job, type JobQueue } from "./job.ts";
export { bind, type BoundJob, type JobRunner, startJobRunner } from "./job-runner.ts";
export { createJobSender, type JobSender } from "./job-sender.ts";
