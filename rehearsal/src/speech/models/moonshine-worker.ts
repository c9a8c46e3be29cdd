import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import tokenizer from "llama-tokenizer-js";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { weightsFolder } from "./weights.ts";

/** Mono, 16 kHz. */
export type MoonshineJob = Int16Array;

export interface MoonshineResult {
  text: string;
  /** The geometric mean of its tokens' probabilities. */
  confidence: number;
}

const [LAYERS, HEADS, HEAD_SIZE] = [6, 8, 36];
const [BEGIN, END] = [1, 2];
const SAMPLE_RATE = 16_000;
/** More is a model that repeats itself. */
const TOKENS_PER_SEC = 6.5;

const folder = await weightsFolder();
const encoder = await load("encoder_model.onnx");
const decoder = await load("decoder_model_merged.onnx");

parentPort!.on("message", (pcm: MoonshineJob) => {
  void recognise(pcm).then((result) => parentPort!.postMessage(result, []));
});

function load(name: string): Promise<InferenceSession> {
  const threads = { intraOpNumThreads: 1, interOpNumThreads: 1 };
  return InferenceSession.create(join(folder, name), threads);
}

async function recognise(pcm: Int16Array): Promise<MoonshineResult> {
  const sound = Float32Array.from(pcm, (sample) => sample / 32_768);
  const encoded = await encoder.run({
    input_values: new Tensor("float32", sound, [1, sound.length]),
  });
  const states = encoded["last_hidden_state"]!;
  const most = Math.trunc((sound.length / SAMPLE_RATE) * TOKENS_PER_SEC) + 2;
  const past = nothingPast();
  const tokens: number[] = [];
  let [token, likelihood, steps] = [BEGIN, 0, 0];
  while (steps < most) {
    const isFirst = steps === 0;
    const answer = await decoder.run({
      input_ids: new Tensor("int64", BigInt64Array.of(BigInt(token)), [1, 1]),
      encoder_hidden_states: states,
      use_cache_branch: new Tensor("bool", [!isFirst]),
      ...past,
    });
    const [best, logProbability] = likeliest(answer["logits"]!.data as Float32Array);
    token = best;
    likelihood += logProbability;
    steps += 1;
    if (token === END) break;
    tokens.push(token);
    for (const name of Object.keys(past)) {
      // What is known of the sound does not change after the first step.
      if (!isFirst && name.includes("encoder")) continue;
      past[name] = answer[name.replace("past_key_values", "present")]!;
    }
  }
  const text = tokenizer.decode(
    tokens.filter((one) => one > END),
    false,
    false,
  );
  return { text: text.trim(), confidence: Math.exp(likelihood / Math.max(1, steps)) };
}

function nothingPast(): Record<string, Tensor> {
  const past: Record<string, Tensor> = {};
  for (let layer = 0; layer < LAYERS; layer += 1) {
    for (const part of ["decoder.key", "decoder.value", "encoder.key", "encoder.value"]) {
      const none = new Tensor("float32", new Float32Array(0), [0, HEADS, 1, HEAD_SIZE]);
      past[`past_key_values.${layer}.${part}`] = none;
    }
  }
  return past;
}

function likeliest(logits: Float32Array): [index: number, logProbability: number] {
  let best = 0;
  logits.forEach((logit, index) => {
    if (logit > logits[best]!) best = index;
  });
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - logits[best]!);
  return [best, -Math.log(sum)];
}
