/** Columns of numbers one after the other, as the database keeps them. */
export const floatsToBytes = (columns: readonly ArrayLike<number>[]): Buffer => {
  const length = columns.reduce((sum, each) => sum + each.length, 0)
  const all = new Float32Array(length)
  let at = 0
  for (const column of columns) {
    all.set(column, at)
    at += column.length
  }
  return Buffer.from(all.buffer)
}

/** The same back. The driver's buffers begin anywhere, so the bytes are copied. */
export function bytesToFloats(bytes: Buffer): Float32Array {
  const copy = new ArrayBuffer(bytes.length)
  new Uint8Array(copy).set(bytes)
  return new Float32Array(copy)
}
