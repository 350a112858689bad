import { expect, test, vi } from 'vitest'
import { emptyValues } from './form-values.ts'
import { problemIn, problemsOfNoRow, problemsShown } from './problems.ts'

vi.stubGlobal('localStorage', { getItem: () => 'en' })

const shown = (all: boolean, ...paths: readonly (readonly [path: string, key: string])[]) =>
  problemsShown({ Problems: paths.map(([Path, Key]) => ({ Path, Key, Text: { zh: Key, en: Key } })) }, emptyValues, all)

test('what is not filled in yet is said once somebody wants to save', () => {
  const paths = [
    ['body.Name', 'name missing'],
    ['body.Lines', 'device missing'],
    ['body.Period.ToDate', 'dates reversed'],
  ] as const
  expect([...shown(false, ...paths).keys()]).toEqual(['Period.ToDate'])
  expect([...shown(true, ...paths).keys()]).toEqual(['Name', 'Lines', 'Period.ToDate'])
})

test('a line that is wrong stands at the lines; what belongs to no row is said above them', () => {
  const problems = shown(true, ['body.Lines.3', 'line not in project'], ['body.HouseID', 'too many'], ['body', 'timer past'])
  expect(problemIn(problems, 'Lines')).toBe('line not in project')
  expect(problemsOfNoRow(problems)).toEqual(['too many', 'timer past'])
})
