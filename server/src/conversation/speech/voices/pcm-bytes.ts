/** Puts samples together again from bytes that come in pieces of any length. */
export class PcmBytes {
  #odd: number | undefined;

  take(bytes: Uint8Array): Int16Array<ArrayBuffer> {
    const carried = this.#odd === undefined ? 0 : 1;
    const whole = new Uint8Array(carried + bytes.length);
    if (this.#odd !== undefined) whole[0] = this.#odd;
    whole.set(bytes, carried);
    this.#odd = whole.length % 2 === 1 ? whole.at(-1) : undefined;
    return new Int16Array(whole.buffer, 0, Math.floor(whole.length / 2));
  }
}
