import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

interface Shape {
  readonly width?: number
  readonly height?: number
}

/** A marker with its length and what it says. */
export const segment = (marker: number, content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content as string, 'latin1')
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(bytes.length + 2, 2)
  return Buffer.concat([head, bytes])
}

/** Where it was taken, and a thumbnail, as phones write it. */
export const exifWithGps: Buffer = segment(
  0xe1,
  `Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x88\x25\0\x04\0\0\0\x01\0\0\0\x1aGPSLatitude 39.9042 GPSLongitude 116.4074`,
)

const jfif = segment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\0\0')

/** A JPEG as far as whoever does not decode it can tell, of about so many bytes. */
export function jpegPhoto({
  width = 640,
  height = 480,
  bytes = 2_000,
  extra = [],
}: Shape & { bytes?: number; extra?: Buffer[] } = {}): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  // A code of 0xff in the data is followed by a nought: there is none in these, nor a G, so that no chance spells GPS.
  const coded = randomBytes(bytes).map((each) => (each === 0xff || each === 0x47 ? 0xfe : each))
  return Buffer.concat([
    ...[Buffer.from([0xff, 0xd8]), jfif, ...extra, segment(0xdb, Buffer.alloc(65, 1)), segment(0xc0, frame)],
    ...[segment(0xc4, Buffer.alloc(29)), segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), coded, Buffer.from([0xff, 0xd9])],
  ])
}

/** A part of a PNG with its checksum. */
export function chunk(type: string, content: Buffer | string): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(content as string, 'latin1')])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(typed.length - 4)
  check.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, check])
}

/** A PNG that every browser shows: grey noise, which no compression makes smaller, or `even` shades. */
export function pngPhoto({
  width = 40,
  height = 30,
  extra = [],
  even = false,
}: Shape & { extra?: Buffer[]; even?: boolean } = {}): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const row = (y: number) => (even ? Buffer.alloc(width, (y / height) * 200 + Math.random() * 50) : randomBytes(width))
  const rows = Array.from({ length: height }, (_, y) => Buffer.concat([Buffer.alloc(1), row(y)]))
  return Buffer.concat([
    ...[Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), ...extra],
    ...[chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', '')],
  ])
}

/** A part of a WebP, at an even place. */
export function webpPart(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from(type, 'latin1'), length, content, Buffer.alloc(content.length % 2)])
}

/** A WebP as far as whoever does not decode it can tell, with its extended head. */
export function webpPhoto({
  width = 640,
  height = 480,
  flags = 0,
  extra = [],
}: Shape & { flags?: number; extra?: Buffer[] } = {}): Buffer {
  const head = Buffer.alloc(10)
  head[0] = flags
  head.writeUIntLE(width - 1, 4, 3)
  head.writeUIntLE(height - 1, 7, 3)
  const lossy = Buffer.concat([Buffer.from([0, 0, 0, 0x9d, 1, 0x2a, 0, 0, 0, 0]), randomBytes(301)])
  const parts = Buffer.concat([webpPart('VP8X', head), webpPart('VP8 ', lossy), ...extra])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(parts.length + 4)
  return Buffer.concat([Buffer.from('RIFF'), length, Buffer.from('WEBP'), parts])
}
