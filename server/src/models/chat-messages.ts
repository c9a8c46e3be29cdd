export type ModelMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content?: string; toolCalls?: ToolCall[] }
  | { role: "tool"; callId: string; content: string };

export interface ToolCall {
  id: string;
  name: string;
  /** As the model wrote it: JSON if all is well. */
  args: string;
}

export interface ToolOffer {
  name: string;
  description: string;
  /** A JSON schema. */
  parameters: Record<string, unknown>;
}
