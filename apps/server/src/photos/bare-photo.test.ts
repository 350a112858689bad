import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { barePhoto, maxPhotoSide } from './bare-photo.ts'
import { chunk, exifWithGps, jpegPhoto, pngPhoto, segment, webpPart, webpPhoto } from './test-photos.ts'

const page = '<!doctype html><script>alert(document.domain)</script>'
const latin1 = (bytes: Buffer | undefined) => bytes?.toString('latin1') ?? ''

describe('what tells where, when and by whom a photo was taken is not stored', () => {
  const xmp = '<x:xmpmeta>GPSLatitude</x:xmpmeta>'
  const thumbnail = segment(0xe0, `JFIF\0\x01\x01\0\0\x01\0\x01\x02\x02GPS-thumbnail`)
  test.each([
    ['EXIF of a JPEG', jpegPhoto({ extra: [exifWithGps] })],
    ['XMP of a JPEG', jpegPhoto({ extra: [segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${xmp}`)] })],
    ['a comment of a JPEG', jpegPhoto({ extra: [segment(0xfe, 'GPS 39.9')] })],
    ['IPTC of a JPEG', jpegPhoto({ extra: [segment(0xed, 'Photoshop 3.0\0 GPS')] })],
    ['a thumbnail in the head of a JPEG', jpegPhoto({ extra: [thumbnail] })],
    ['EXIF of a PNG', pngPhoto({ extra: [chunk('eXIf', 'MM GPS')] })],
    ['text of a PNG', pngPhoto({ extra: [chunk('tEXt', 'Comment\0GPS'), chunk('iTXt', 'GPS'), chunk('tIME', 'GPS....')] })],
    [
      'EXIF and XMP of a WebP',
      webpPhoto({ flags: 0x0c, extra: [webpPart('EXIF', Buffer.from('GPS')), webpPart('XMP ', Buffer.from(xmp))] }),
    ],
  ])('%s', (_, sent) => {
    expect(latin1(sent)).toContain('GPS')
    const stored = barePhoto(sent)
    expect(stored?.width).toBeGreaterThan(0)
    expect(latin1(stored?.bytes)).not.toContain('GPS')
    // Nothing is left to take out.
    expect(stored && barePhoto(stored.bytes)?.bytes).toEqual(stored?.bytes)
  })
})

test.each([
  ['JPEG', jpegPhoto()],
  [
    'JPEG with its colours',
    jpegPhoto({ extra: [segment(0xe2, 'ICC_PROFILE\0\x01\x01profile'), segment(0xee, 'Adobe\0\x64\0\0\0\0\x01')] }),
  ],
  ['PNG', pngPhoto({ extra: [chunk('sRGB', '\0'), chunk('gAMA', '\0\0\xb1\x8f')] })],
  ['WebP', webpPhoto()],
])('a %s without any is stored as it came', (_, sent) => {
  expect(barePhoto(sent)?.bytes.equals(sent)).toBe(true)
})

describe('a page in the clothes of a photo', () => {
  test.each([
    ['after the end of a JPEG', Buffer.concat([jpegPhoto(), Buffer.from(page)])],
    ['in a comment of a JPEG', jpegPhoto({ extra: [segment(0xfe, page)] })],
    ['after the end of a PNG', Buffer.concat([pngPhoto(), Buffer.from(page)])],
    ['after the end of a WebP', Buffer.concat([webpPhoto(), Buffer.from(page)])],
  ])('%s is cut away', (_, sent) => {
    const stored = barePhoto(sent)
    expect(stored).not.toBeNull()
    expect(latin1(stored?.bytes)).not.toContain('<script>')
  })

  test.each([
    ['with the head of a JPEG', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(page)])],
    ['with the head of a PNG', Buffer.concat([pngPhoto().subarray(0, 33), Buffer.from(page)])],
    ['alone', Buffer.from(page)],
  ])('%s is none', (_, sent) => expect(barePhoto(sent)).toBeNull())
})

describe('is refused', () => {
  const damaged = Buffer.from(pngPhoto())
  damaged[50] = (damaged[50] ?? 0) ^ 1
  test.each([
    ['a JPEG without a picture', Buffer.concat([Buffer.from([0xff, 0xd8]), exifWithGps, Buffer.from([0xff, 0xd9])])],
    ['a JPEG with two frames', jpegPhoto({ extra: [segment(0xc0, Buffer.from([8, 0, 9, 0, 9, 1, 1, 0x11, 0]))] })],
    ['a PNG that is damaged', damaged],
    ['a PNG without a picture', Buffer.concat([pngPhoto().subarray(0, 33), chunk('IEND', '')])],
    ['a PNG with a part that nobody knows', pngPhoto({ extra: [chunk('ABCD', 'x')] })],
    ['a WebP that moves', webpPhoto({ flags: 2, extra: [webpPart('ANIM', Buffer.alloc(6))] })],
    ['a WebP with two pictures', webpPhoto({ extra: [webpPart('VP8L', Buffer.alloc(8))] })],
    ['a photo that is too wide', jpegPhoto({ width: maxPhotoSide + 1 })],
    ['a photo that is too high', pngPhoto({ width: 1, height: maxPhotoSide + 1 })],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['nothing', Buffer.alloc(0)],
  ])('%s', (_, sent) => expect(barePhoto(sent)).toBeNull())

  test('a photo that is cut off, wherever', () => {
    for (const whole of [
      jpegPhoto({ bytes: 50, extra: [exifWithGps] }),
      pngPhoto({ width: 9, height: 9 }),
      webpPhoto({ extra: [webpPart('EXIF', Buffer.from('x'))] }),
    ])
      for (let length = 0; length < whole.length; length++) expect(barePhoto(whole.subarray(0, length))).toBeNull()
  })
})

test('whatever comes is read without failing, and what is stored is stored the same again', () => {
  const sent = fc.constantFrom(jpegPhoto({ bytes: 60, extra: [exifWithGps] }), pngPhoto({ width: 5, height: 5 }), webpPhoto())
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 })
  fc.assert(
    fc.property(sent, changes, fc.uint8Array({ maxLength: 20 }), (whole, each, tail) => {
      const bytes = Buffer.concat([whole, tail])
      for (const [at, value] of each) bytes[at % bytes.length] = value
      const stored = barePhoto(bytes)
      if (!stored) return
      expect(stored.bytes.length).toBeLessThanOrEqual(bytes.length)
      expect(barePhoto(stored.bytes)?.bytes.equals(stored.bytes)).toBe(true)
    }),
    { numRuns: 10_000 },
  )
})
