/** What a binary COPY is made of, as PostgreSQL reads it. */
export const copyHeader = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
export const copyEnd = Buffer.from([0xff, 0xff])

// PostgreSQL counts microseconds from the year 2000.
const epochMs = Date.UTC(2000, 0, 1)
const realType = 700
export const intType = 23

/** So many bytes has an array of reals at most. */
export const realsBytes = (size: number): number => 4 + 20 + size * 8

/** Each writes a value with its length before it, and answers where the next one begins. */
export const writeInt = (out: Buffer, at: number, value: number): number => out.writeInt32BE(value, out.writeInt32BE(4, at))

/** A `timestamptz`; Unix ms. */
export const writeMoment = (out: Buffer, at: number, ms: number): number =>
  out.writeBigInt64BE(BigInt(ms - epochMs) * 1_000n, out.writeInt32BE(8, at))

/** A `real[]`; NaN is null. */
export function writeReals(out: Buffer, start: number, values: Float32Array): number {
  const known = values.reduce((count, each) => count + (Number.isNaN(each) ? 0 : 1), 0)
  const bytes = 20 + values.length * 4 + known * 4
  let at = beginArray(out, start, { bytes, type: realType, hasNull: known < values.length, size: values.length })
  for (const value of values) {
    if (Number.isNaN(value)) at = out.writeInt32BE(-1, at)
    else {
      at = out.writeInt32BE(4, at)
      at = out.writeFloatBE(value, at)
    }
  }
  return at
}

/** The head of an array whose entries follow; its length is `bytes`. */
export function beginArray(
  out: Buffer,
  start: number,
  {
    bytes,
    type,
    hasNull,
    size,
  }: { readonly bytes: number; readonly type: number; readonly hasNull: boolean; readonly size: number },
): number {
  let at = start
  // Its length, one dimension, whether some are null, what they are, how many, and that the first is number one.
  for (const word of [bytes, 1, hasNull ? 1 : 0, type, size, 1]) at = out.writeInt32BE(word, at)
  return at
}
