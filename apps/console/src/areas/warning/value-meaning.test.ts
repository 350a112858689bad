import { detectors } from '@linewarden/rules/warning'
import { expect, test } from 'vitest'
import { warning } from './texts.ts'

const wordsOf = (words: object, key: string): unknown =>
  key.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], words)

test('of every detector it is said what its value is, in both languages', () => {
  const silent = detectors.filter(({ key }) =>
    [warning.zh, warning.en].some((words) => typeof wordsOf(words.valueOf, key) !== 'string'),
  )
  expect(silent.map(({ key }) => key)).toEqual([])
})
