import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pictureIn } from './picture.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const png = hex('89504e470d0a1a0a 0000000d 49484452 00000078 00000020 0806000000 00000000')
const jpeg = hex('ffd8 ffe0 0010 4a46494600010100000100010000 ffc0 0011 08 0020 0078 03 012200021101031101 ffd9')
const lossy = hex('52494646 00000000 57454250 56503820 00000000 000000 9d012a 7800 2000 0000')
const lossless = hex('52494646 00000000 57454250 5650384c 00000000 2f 77c00700 00 00000000')
const extended = hex('52494646 00000000 57454250 56503858 0a000000 00000000 770000 1f0000 0000')

test.each([
  ['PNG', png, 'image/png'],
  ['JPEG', jpeg, 'image/jpeg'],
  ['lossy WebP', lossy, 'image/webp'],
  ['lossless WebP', lossless, 'image/webp'],
  ['extended WebP', extended, 'image/webp'],
])('a %s file of 120 by 32 is known by its content', (_, bytes, type) => {
  expect(pictureIn(bytes)).toEqual({ type, width: 120, height: 32 })
})

test.each([
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['a page', '<!doctype html><script>alert(1)</script>'],
  ['a GIF', 'GIF89a\x01\x00\x01\x00\x00\x00\x00'],
  ['nothing', ''],
])('%s is no picture', (_, text) => expect(pictureIn(Buffer.from(text, 'latin1'))).toBeNull())

test('whatever comes, cut short or changed, is read without failing', () => {
  const file = fc.constantFrom(png, jpeg, lossy, lossless, extended)
  fc.assert(
    fc.property(file, fc.nat(), fc.nat(), fc.nat(255), (bytes, cut, at, value) => {
      const changed = Buffer.from(bytes.subarray(0, cut % (bytes.length + 1)))
      if (changed.length > 0) changed[at % changed.length] = value
      const found = pictureIn(changed)
      if (found) expect(found.width * found.height).toBeGreaterThan(0)
    }),
  )
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void pictureIn(Buffer.from(bytes))))
})
