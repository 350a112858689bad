const soi = 0xd8
const eoi = 0xd9
const sos = 0xda
const app0 = 0xe0
const icc = 0xe2
const adobe = 0xee

/**
 * A JPEG of what makes the picture alone: without EXIF, GPS, XMP, comments, thumbnails, further pictures, and whatever comes after its end. Null:
 * it is none, or is cut off. Its colour profile stays, and so does what says how its colours are coded.
 */
export function bareJpeg(bytes: Buffer): Buffer | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff00 + soi) return null
  const parts: Buffer[] = [bytes.subarray(0, 2)]
  let frames = 0
  for (let at = 2; ; ) {
    // Any number of fill bytes may stand before a marker.
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1]
    if (marker === undefined || isLone(marker)) return null
    if (marker === eoi) {
      parts.push(bytes.subarray(at, at + 2))
      return frames === 1 ? Buffer.concat(parts) : null
    }
    if (at + 4 > bytes.length) return null
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end < at + 4 || end > bytes.length) return null
    if (isFrame(marker)) frames++
    // Nothing can be drawn before its frame is known.
    if (marker === sos && frames === 0) return null
    const segment = bytes.subarray(at, end)
    if (isOfPicture(marker, segment)) parts.push(marker === app0 ? withoutThumbnail(segment) : segment)
    at = end
    if (marker !== sos) continue
    const after = endOfScan(bytes, at)
    if (after === null) return null
    parts.push(bytes.subarray(at, after))
    at = after
  }
}

/** Markers that stand by themselves have no place between segments: start, restarts, and what is reserved. */
const isLone = (marker: number): boolean =>
  marker === soi || marker === 0x00 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

function isOfPicture(marker: number, segment: Buffer): boolean {
  const begins = (text: string) => segment.toString('latin1', 4, 4 + text.length) === text
  if (marker === app0) return begins('JFIF\0') && segment.length >= 18
  if (marker === icc) return begins('ICC_PROFILE\0')
  if (marker === adobe) return begins('Adobe') && segment.length === 16
  // Tables, frames and scans; not the other application segments, nor comments.
  return marker >= 0xc0 && marker <= 0xdf
}

/** A thumbnail may show what was cut away from the picture. */
function withoutThumbnail(segment: Buffer): Buffer {
  const head = Buffer.from(segment.subarray(0, 18))
  head.writeUInt16BE(16, 2)
  head.writeUInt16BE(0, 16)
  return head
}

/** Where the next marker stands that ends the coded data; null: there is none. */
function endOfScan(bytes: Buffer, from: number): number | null {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    const isData = next === 0x00 || next === 0xff || (next >= 0xd0 && next <= 0xd7)
    if (!isData) return at
  }
  return null
}
