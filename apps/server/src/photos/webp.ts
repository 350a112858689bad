const ofPicture: ReadonlySet<string> = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ICCP'])

/** Flags of the extended head: which further parts there are. */
const [animated, xmp, exif] = [0x02, 0x04, 0x08]

/** A WebP of what makes the picture alone, without whatever comes after its end. Null: it is none, is cut off, or moves. */
export function bareWebp(bytes: Buffer): Buffer | null {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  const whole = 8 + bytes.readUInt32LE(4)
  if (whole > bytes.length) return null
  const parts: Buffer[] = []
  let pictures = 0
  for (let at = 12; at < whole; ) {
    if (at + 8 > whole) return null
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    // Parts begin at even places.
    const end = at + 8 + length + (length % 2)
    if (at + 8 + length > whole || type === 'ANIM' || type === 'ANMF') return null
    if (type === 'VP8 ' || type === 'VP8L') pictures++
    const part = bytes.subarray(at, Math.min(end, whole))
    if (type === 'VP8X') {
      if (at !== 12 || length < 10 || ((part[8] ?? 0) & animated) !== 0) return null
      parts.push(withoutMetadata(part))
    } else if (ofPicture.has(type)) parts.push(part)
    at = end
  }
  if (pictures !== 1) return null
  const head = Buffer.from(bytes.subarray(0, 12))
  head.writeUInt32LE(4 + parts.reduce((sum, part) => sum + part.length, 0), 4)
  return Buffer.concat([head, ...parts])
}

function withoutMetadata(part: Buffer): Buffer {
  const bare = Buffer.from(part)
  bare[8] = (bare[8] ?? 0) & ~(xmp | exif)
  return bare
}
