import { expect, test } from 'vitest'
import { cutText, storableJson } from './storable-text.ts'

test.each([
  ['short', 8, 'short'],
  ['exact', 5, 'exact'],
  ['longer', 5, 'longe'],
  ['跳闸😀', 3, '跳闸'],
  ['跳闸😀', 4, '跳闸😀'],
  ['a\ud83db', 2, 'a'],
  ['\ud83dabc', 3, '\ufffda'],
])('%j is cut to %i', (text, most, expected) => expect(cutText(text, most)).toBe(expected))

test('JSON keeps no half of a character and no zero byte, however deep', () => {
  const value = { text: 'a\0b', list: ['\ud83d', { number: 1, none: null, missing: undefined }] }
  expect(storableJson(value)).toBe('{"text":"ab","list":["\ufffd",{"number":1,"none":null}]}')
})
