const endMark = 0x06054b50
const entryMark = 0x02014b50
const localMark = 0x04034b50
const maxEntries = 2_000
/** An extra field that holds sizes of its own. */
const zip64 = 0x0001

/**
 * Whether a zip file holds at most so many bytes when it is unpacked. What the file says of itself is not believed: each part is unpacked
 * and counted, and nothing of it is kept. A file that says two things of one part is `unreadable`: its next reader might believe the other.
 */
export async function unpacksWithin(file: Uint8Array<ArrayBuffer>, most: number): Promise<'fits' | 'tooBig' | 'unreadable'> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const end = findEnd(view)
  if (end === null || view.getUint16(end + 8, true) !== view.getUint16(end + 10, true)) return 'unreadable'
  const entries = view.getUint16(end + 10, true)
  if (entries > maxEntries) return 'tooBig'
  let at = view.getUint32(end + 16, true)
  let left = most
  for (let index = 0; index < entries; index += 1) {
    const part = partOf(view, at)
    if (part === null) return 'unreadable'
    const packed = file.subarray(part.from, part.from + part.packed)
    if (packed.length < part.packed) return 'unreadable'
    const size = part.method === 0 ? part.packed : await inflatedSize(packed, left)
    if (size === null) return 'unreadable'
    if (size > left) return 'tooBig'
    if (size !== part.size) return 'unreadable'
    left -= size
    at = part.next
  }
  return 'fits'
}

interface Part {
  readonly method: number
  readonly from: number
  readonly packed: number
  /** As the file says, in both places. */
  readonly size: number
  /** Where the directory goes on. */
  readonly next: number
}

/** What the directory says of a part, if the head of the part itself says the same; null: it does not, or there is no such part. */
function partOf(view: DataView, at: number): Part | null {
  if (at + 46 > view.byteLength || view.getUint32(at, true) !== entryMark) return null
  const flags = view.getUint16(at + 8, true)
  const method = view.getUint16(at + 10, true)
  const packed = view.getUint32(at + 20, true)
  const size = view.getUint32(at + 24, true)
  const nameLength = view.getUint16(at + 28, true)
  const extraLength = view.getUint16(at + 30, true)
  const local = view.getUint32(at + 42, true)
  if (method !== 0 && method !== 8) return null
  if (local + 30 > view.byteLength || view.getUint32(local, true) !== localMark) return null
  if (view.getUint16(local + 6, true) !== flags || view.getUint16(local + 8, true) !== method) return null
  // Written as a stream, it says its sizes after the part, and zero before it.
  const streamed = (flags & 8) !== 0
  const same = (place: number, expected: number) =>
    view.getUint32(place, true) === expected || (streamed && view.getUint32(place, true) === 0)
  if (!same(local + 18, packed) || !same(local + 22, size)) return null
  if (view.getUint16(local + 26, true) !== nameLength) return null
  const localExtra = view.getUint16(local + 28, true)
  if (hasZip64(view, at + 46 + nameLength, extraLength) || hasZip64(view, local + 30 + nameLength, localExtra)) return null
  return {
    method,
    from: local + 30 + nameLength + localExtra,
    packed,
    size,
    next: at + 46 + nameLength + extraLength + view.getUint16(at + 32, true),
  }
}

/** True also when the extra fields do not fit where they stand. */
function hasZip64(view: DataView, from: number, length: number): boolean {
  if (from + length > view.byteLength) return true
  for (let at = from; at + 4 <= from + length; at += 4 + view.getUint16(at + 2, true))
    if (view.getUint16(at, true) === zip64) return true
  return false
}

/** The last end mark there is; null when what follows it is not the whole of the file's end. */
function findEnd(view: DataView): number | null {
  for (let at = view.byteLength - 4; at >= Math.max(0, view.byteLength - 22 - 65_535); at -= 1)
    if (view.getUint32(at, true) === endMark)
      return at + 22 <= view.byteLength && at + 22 + view.getUint16(at + 20, true) === view.byteLength ? at : null
  return null
}

/** How much comes out, or more than `most` as soon as it is more; null when it is no deflated data. */
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
        return size
      }
    }
  } catch {
    return null
  }
}
