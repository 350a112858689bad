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
  ['x = 10_000', ['const: x = 100000']],
  ['x = 0', ['const: x = 1']],
  ['wait(50)', []],
  ['setTimeout(() => f(1), 50)', ['const: setTimeout(() => f(2), 50)']],
  ['x = Math.max(a, b)', ['min-max: x = Math.min(a, b)']],
  ['x = [a, ...b]', ['drop-el: x = [...b]', 'drop-el: x = [a]']],
  ['await a()', ['del-await: ;']],
  ["x = db.where('a', b)", ['sql-drop-where: x = db']],
  ['db.limit(1).x().executeTakeFirst()', []],
  ['db.limit(1).execute()', ['const: db.limit(2).execute()']],
  ['q(`select 1 from t where a = $1 and hour < $3`)', ['sql-drop-cond: q(`select 1 from t where a = $1`)']],
])('%s', (source, expected) => {
  expect(made(source)).toEqual(expected)
})

test('types, imports and what is only text have no mutants', () => {
  expect(
    made("import { a } from 'b'\ninterface C { readonly d: 1 | true }\nconst e: [1, 2] = f as [1, 2]\nconst g = 'and so on'"),
  ).toEqual([])
})

test('each mutant knows the innermost function with a name that it stands in', () => {
  const source =
    'const a = 1\nfunction b() { return [1].map(() => 2) }\nconst c = () => 3\nclass D { #e() { return 4 }\n f = () => 5\n constructor() { g(6) } get h() { return 7 } }'
  const within = mutantsOf(source).map((each) => `${source.slice(each.start, each.end)} ${each.within}`)
  expect(within).toEqual(['1 ', '1 b', '2 b', '3 c', '4 #e', '5 f', '6 ', '7 get h'])
})
