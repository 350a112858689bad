import { expect, test } from 'vitest'
import { keyOf } from './link-key.ts'

const key = '0123456789ABCDEFGHJKMNPQRS'

test.each<[string, string, string | null]>([
  ['stands behind #k=', `#k=${key}`, key],
  ['may be typed in small letters', `#k=${key.toLowerCase()}`, key],
  ['is not a part of something longer', `#k=${key}0`, null],
  ['is not shorter', '#k=0123', null],
  ['has no letters that are read for digits', `#k=${key.replace('A', 'O')}`, null],
  ['is nothing else', '#legend', null],
  ['is none', '', null],
])('a key %s', (_, hash, found) => expect(keyOf(hash)).toBe(found))
