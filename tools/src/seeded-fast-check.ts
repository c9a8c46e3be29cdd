import fc from "fast-check";

const seed = process.env["SVC_SEED"];
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

export * from "fast-check";
export default fc;
