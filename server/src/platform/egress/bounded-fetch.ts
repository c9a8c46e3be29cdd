/**
 * `fetch` for addresses that the operator configured, for an answer that must not be longer than
 * `maxBytes`: one without an end would fill the memory. What a customer chose goes through egress.
 */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    let bytes = 0;
    const bounded = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength;
          if (bytes > maxBytes) controller.error(new Error("the answer has no end"));
          else controller.enqueue(chunk);
        },
      }),
    );
    return new Response(bounded, response);
  };
}
