export type DecodeReason =
  | 'truncated'
  | 'bad_varint'
  | 'bad_wire_type'
  | 'bad_utf8'
  | 'bad_number'
  | 'too_large'
  | 'too_many_metrics'
  | 'compressed'

/** The bytes are not a Sparkplug payload we can take. */
export class DecodeError extends Error {
  readonly reason: DecodeReason
  constructor(reason: DecodeReason, detail: string) {
    super(detail)
    this.name = 'DecodeError'
    this.reason = reason
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads protobuf primitives; every read is bounded by `end`, so bad bytes end in a DecodeError and never in a loop. */
export class WireReader {
  readonly bytes: Uint8Array
  readonly #view: DataView
  position: number
  end: number

  constructor(bytes: Uint8Array, position = 0, end = bytes.length) {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.position = position
    this.end = end
  }

  get done(): boolean {
    return this.position >= this.end
  }

  byte(): number {
    if (this.position >= this.end) throw new DecodeError('truncated', 'the message ends inside a field')
    return this.bytes[this.position++] ?? 0
  }

  /** A varint as a number; beyond 2^53 it loses precision, see `varint64`. */
  varint(): number {
    let value = 0
    let scale = 1
    for (let i = 0; i < 10; i++) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 128
    }
    throw new DecodeError('bad_varint', 'a varint is longer than 10 bytes')
  }

  varint64(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw new DecodeError('bad_varint', 'a varint is longer than 10 bytes')
  }

  float(): number {
    const at = this.#take(4)
    return this.#view.getFloat32(at, true)
  }

  double(): number {
    const at = this.#take(8)
    return this.#view.getFloat64(at, true)
  }

  block(): Uint8Array {
    const length = this.varint()
    const at = this.#take(length)
    return this.bytes.subarray(at, at + length)
  }

  text(): string {
    try {
      return utf8.decode(this.block())
    } catch (error) {
      if (error instanceof DecodeError) throw error
      throw new DecodeError('bad_utf8', 'a string is not valid UTF-8')
    }
  }

  /** Passes over a field this version does not know. */
  skip(wireType: number): void {
    if (wireType === 0) this.varint64()
    else if (wireType === 1) this.#take(8)
    else if (wireType === 2) this.block()
    else if (wireType === 5) this.#take(4)
    else throw new DecodeError('bad_wire_type', `wire type ${wireType} is not used by Sparkplug`)
  }

  #take(length: number): number {
    const at = this.position
    if (length > this.end - at) throw new DecodeError('truncated', 'a length points beyond the end of the message')
    this.position = at + length
    return at
  }
}
