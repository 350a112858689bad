import { ruleCatalogue } from '@linewarden/rules/warning'
import { expect, test } from 'vitest'
import { sourcesInChinese } from './source-words.ts'
import { warningRules } from './texts.ts'

const meaningOf = (words: object, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], words)

test('every figure of every rule says what it does in both languages, and where it comes from in Chinese, too', () => {
  const silent = ruleCatalogue.flatMap(({ key, parameters }) =>
    Object.entries(parameters).flatMap(([name, { source }]) => {
      const path = `${key}.${name}`
      const isWritten = [warningRules.zh, warningRules.en].every(({ meanings }) => typeof meaningOf(meanings, path) === 'string')
      return [...(isWritten ? [] : [path]), ...(Object.hasOwn(sourcesInChinese, source) ? [] : [source])]
    }),
  )
  expect(silent).toEqual([])
})
