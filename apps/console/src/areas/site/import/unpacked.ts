const endMark = 0x06054b50
const entryMark = 0x02014b50
const mostEntries = 2_000

/**
 * Whether a zip file holds at most so many bytes when it is unpacked. What the file says of itself is not believed: each part is unpacked
 * and counted, and nothing of it is kept.
 */
export async function unpacksWithin(file: Uint8Array<ArrayBuffer>, most: number): Promise<boolean> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const end = findEnd(view)
  if (end === null) return false
  const entries = view.getUint16(end + 10, true)
  if (entries > mostEntries) return false
  let at = view.getUint32(end + 16, true)
  let left = most
  for (let index = 0; index < entries; index += 1) {
    if (at + 46 > file.length || view.getUint32(at, true) !== entryMark) return false
    const method = view.getUint16(at + 10, true)
    const packed = view.getUint32(at + 20, true)
    const local = view.getUint32(at + 42, true)
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    if (local + 30 > file.length) return false
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    const part = file.subarray(start, start + packed)
    if (part.length < packed) return false
    const size = method === 0 ? packed : method === 8 ? await inflatedSize(part, left) : null
    if (size === null || size > left) return false
    left -= size
  }
  return true
}

function findEnd(view: DataView): number | null {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 65_535); at -= 1)
    if (view.getUint32(at, true) === endMark) return at
  return null
}

/** How much comes out; null when it is more than there is room for, or no deflated data. */
async function inflatedSize(part: Uint8Array<ArrayBuffer>, most: number): Promise<number | null> {
  const reader = new Blob([part]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return size
      size += value.byteLength
      if (size > most) {
        await reader.cancel()
        return null
      }
    }
  } catch {
    return null
  }
}
