import { crc32 } from 'node:zlib'

const signature = '\x89PNG\r\n\x1a\n'

/** What makes the picture: no text, no EXIF, no time, no further frames. */
const ofPicture: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT'])

/** A PNG of what makes the picture alone, without whatever comes after its end. Null: it is none, is cut off, or a part of it is damaged. */
export function barePng(bytes: Buffer): Buffer | null {
  if (bytes.toString('latin1', 0, 8) !== signature) return null
  const parts: Buffer[] = [bytes.subarray(0, 8)]
  let hasPixels = false
  for (let at = 8; at + 12 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length || (at === 8) !== (type === 'IHDR')) return null
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null
    if (type === 'IDAT') hasPixels = true
    // What a reader must understand, and none of ours knows.
    if (!ofPicture.has(type) && isCritical(type)) return null
    if (ofPicture.has(type)) parts.push(bytes.subarray(at, end))
    if (type === 'IEND') return hasPixels ? Buffer.concat(parts) : null
    at = end
  }
  return null
}

const isCritical = (type: string): boolean => /^[A-Z]/.test(type)
