const utf8 = new TextEncoder()

/** Writes protobuf primitives into a growing buffer. */
export class WireWriter {
  #bytes = new Uint8Array(256)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  /** A copy of what was written. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  varintField(field: number, value: number): void {
    this.#varint(field * 8)
    this.#varint(value)
  }

  varint64Field(field: number, value: bigint): void {
    this.#varint(field * 8)
    let rest = value
    while (rest > 0x7fn) {
      this.#byte(Number(rest & 0x7fn) | 0x80)
      rest >>= 7n
    }
    this.#byte(Number(rest))
  }

  float(field: number, value: number): void {
    this.#varint(field * 8 + 5)
    this.#room(4)
    this.#view.setFloat32(this.#length, value, true)
    this.#length += 4
  }

  double(field: number, value: number): void {
    this.#varint(field * 8 + 1)
    this.#room(8)
    this.#view.setFloat64(this.#length, value, true)
    this.#length += 8
  }

  text(field: number, value: string): void {
    this.bytes(field, utf8.encode(value))
  }

  bytes(field: number, value: Uint8Array): void {
    this.#varint(field * 8 + 2)
    this.#varint(value.length)
    this.#room(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
  }

  block(field: number, write: (inner: WireWriter) => void): void {
    const inner = new WireWriter()
    write(inner)
    this.bytes(field, inner.finish())
  }

  #varint(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.#byte((rest % 128) | 0x80)
      rest = Math.floor(rest / 128)
    }
    this.#byte(rest)
  }

  #byte(value: number): void {
    this.#room(1)
    this.#bytes[this.#length++] = value
  }

  #room(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const wider = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more))
    wider.set(this.#bytes)
    this.#bytes = wider
    this.#view = new DataView(wider.buffer)
  }
}
