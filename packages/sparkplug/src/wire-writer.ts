const utf8 = new TextEncoder()
/** A buffer wider than this is not kept for what is written next. */
const keptBytes = 65_536

function varintBytes(value: number): number {
  let bytes = 1
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) bytes += 1
  return bytes
}

/** Writes protobuf primitives into a growing buffer. */
export class WireWriter {
  #bytes = new Uint8Array(256)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  /** Nothing is written yet; the buffer stays, unless it has grown wide. */
  clear(): void {
    this.#length = 0
    if (this.#bytes.length <= keptBytes) return
    this.#bytes = new Uint8Array(256)
    this.#view = new DataView(this.#bytes.buffer)
  }

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
    this.#varint(field * 8 + 2)
    const start = this.#length
    // Most names and ids are plain: they are written where they belong, without a buffer of their own.
    this.#varint(value.length)
    this.#room(value.length)
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i)
      if (code > 0x7f) {
        this.#length = start
        this.#sized(utf8.encode(value))
        return
      }
      this.#bytes[this.#length++] = code
    }
  }

  bytes(field: number, value: Uint8Array): void {
    this.#varint(field * 8 + 2)
    this.#sized(value)
  }

  /** What is written inside comes first, and its length is put before it: a block needs no buffer of its own. */
  block(field: number, write: (inner: WireWriter) => void): void {
    const start = this.#length
    write(this)
    const size = this.#length - start
    const head = varintBytes(field * 8 + 2) + varintBytes(size)
    this.#room(head)
    this.#bytes.copyWithin(start + head, start, start + size)
    this.#length = start
    this.#varint(field * 8 + 2)
    this.#varint(size)
    this.#length += size
  }

  #sized(value: Uint8Array): void {
    this.#varint(value.length)
    this.#room(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
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
