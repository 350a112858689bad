import { expect, test } from 'vitest'
import { mutantsOf } from './mutants.ts'

/** What each mutant makes of the source. */
const made = (source: string) =>
  mutantsOf(source).map(
    ({ operator, start, end, becomes }) => `${operator}: ${source.slice(0, start)}${becomes}${source.slice(end)}`,
  )

test.each<[string, string[]]>([
  ['x = a < b', ['rel: x = a <= b']],
  ['x = a === b', ['rel: x = a !== b']],
  ['x = a && b', ['logic: x = ((a) || (b))', 'drop-left: x = (b)', 'drop-right: x = (a)']],
  ['if (a) b()', ['neg-if: if (!(a)) b()', 'del-if: ;']],
  ['x = a ? b : c', ['cond-then: x = (b)', 'cond-else: x = (c)']],
  ['x = !a', ['drop-not: x = a']],
  ['x = true', ['bool: x = false']],
  ['x = 10_000', ['const: x = 10001']],
  ['x = Math.max(a, b)', ['min-max: x = Math.min(a, b)']],
  ['x = [a, ...b]', ['drop-el: x = [...b]', 'drop-el: x = [a]']],
  ['await a()', ['del-await: ;']],
  ["x = db.where('a', b)", ['sql-drop-where: x = db']],
  ['q(`select 1 from t where a = $1 and hour < $3`)', ['sql-drop-cond: q(`select 1 from t where a = $1`)']],
])('%s', (source, expected) => {
  expect(made(source)).toEqual(expected)
})

test('types, imports and what is only text have no mutants', () => {
  expect(
    made("import { a } from 'b'\ninterface C { readonly d: 1 | true }\nconst e: [1, 2] = f as [1, 2]\nconst g = 'and so on'"),
  ).toEqual([])
})
