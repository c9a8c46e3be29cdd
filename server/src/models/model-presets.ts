/**
 * The servers whose dialects of the protocol are known, each by two names: `vllm` for models that answer at once,
 * `vllm-reasoning` for those that think first. Without a preset a request has only fields that every server takes.
 */
export type PresetName = Family | `${Family}-reasoning`;

export interface ModelPreset {
  /** The field that limits the tokens of an answer; undefined where none is sent. */
  outputLimit?: "max_tokens" | "max_completion_tokens";
  /** False where `response_format` is ignored: the schema stands in the prompt instead. */
  takesSchema: boolean;
  /** False where `stream_options` is refused. Such servers report usage without being asked. */
  takesStreamOptions: boolean;
  /** True where a tool call is refused that comes back without its `extra_content`. */
  takesExtraContent: boolean;
  /** Thinks before its first word, which may take long. */
  thinks: boolean;
  /** Fields of every request. */
  body: Record<string, unknown>;
}

type Family = "openai" | "claude" | "gemini" | "mistral" | "vllm" | "llama.cpp";

interface Dialect extends Partial<Omit<ModelPreset, "thinks" | "body">> {
  /** Fields that keep a model from thinking, and fields that make it think briefly. */
  quick?: Record<string, unknown>;
  reasoning?: Record<string, unknown>;
}

const template = (enable_thinking: boolean) => ({ chat_template_kwargs: { enable_thinking } });

/** A chat template ignores what it does not know, so these suit Qwen and Gemma as well as Llama and Mistral. */
const OPEN_WEIGHTS: Dialect = {
  outputLimit: "max_tokens",
  quick: template(false),
  reasoning: template(true),
};

const DIALECTS: Record<Family, Dialect> = {
  openai: { outputLimit: "max_completion_tokens", reasoning: { reasoning_effort: "low" } },
  claude: { outputLimit: "max_tokens", takesSchema: false },
  gemini: {
    outputLimit: "max_tokens",
    takesExtraContent: true,
    quick: { reasoning_effort: "minimal" },
    reasoning: { reasoning_effort: "low" },
  },
  mistral: { outputLimit: "max_tokens", takesStreamOptions: false },
  vllm: OPEN_WEIGHTS,
  "llama.cpp": OPEN_WEIGHTS,
};

const PLAIN: ModelPreset = {
  takesSchema: true,
  takesStreamOptions: true,
  takesExtraContent: false,
  thinks: false,
  body: {},
};

const PRESETS: ReadonlyMap<string, ModelPreset> = new Map(
  Object.entries(DIALECTS).flatMap(([family, { quick = {}, reasoning = {}, ...dialect }]) => {
    // The limit would count the thoughts, too, and cut the answer off.
    const { outputLimit: _, ...unlimited } = dialect;
    return [
      [family, { ...PLAIN, ...dialect, body: quick }],
      [`${family}-reasoning`, { ...PLAIN, ...unlimited, thinks: true, body: reasoning }],
    ];
  }),
);

export function presetOf(name: PresetName | undefined): ModelPreset {
  return (name && PRESETS.get(name)) ?? PLAIN;
}

export function isPresetName(name: string): name is PresetName {
  return PRESETS.has(name);
}

export const PRESET_NAMES: string[] = [...PRESETS.keys()];
