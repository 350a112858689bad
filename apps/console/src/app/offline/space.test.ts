import { expect, test } from 'vitest'
import { spaceOf } from './space.ts'

test('a phone that has room for a few photos only takes none any more', () => {
  expect(spaceOf({ quota: 10e6, usage: 8.2e6 })).toEqual({ leftBytes: 1.8e6, photos: 4, isFull: true })
  expect(spaceOf({ quota: 1e9, usage: 0 }).isFull).toBe(false)
  expect(spaceOf({ quota: 1e6, usage: 2e6 })).toEqual({ leftBytes: 0, photos: 0, isFull: true })
})

test('a browser that does not say is not taken for a full one', () => {
  expect(spaceOf({})).toEqual({ leftBytes: null, photos: null, isFull: false })
})
