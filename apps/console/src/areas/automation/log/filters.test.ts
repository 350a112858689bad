import { expect, test } from 'vitest'
import { runFilter } from './filters.ts'

const listOf = (filters: Readonly<Record<string, string>>) => ({ filter: (name: string) => filters[name] ?? '' })
const now = 1_000 * 86_400_000
const of = (filters: Readonly<Record<string, string>> = {}, text = '') => runFilter(listOf(filters), { kind: 'all' }, text, now)

test('without filters a log shows seven days, what was not done first', () => {
  expect(of()).toMatchObject({ from: now - 7 * 86_400_000, states: null, sourceId: null, amissFirst: true })
})

test('a press asks for all states that mean it', () => {
  expect(of({ state: 'amiss' }).states).toEqual(['partly', 'refused', 'stopped'])
  expect(of({ state: 'nonsense' }).states).toBeNull()
})

test('an address that somebody wrote asks for nothing that does not exist', () => {
  expect(of({ of: '12; drop', days: '9999', order: 'time' })).toMatchObject({ sourceId: null, days: 7, amissFirst: false })
  expect(of({}, ` ${'x'.repeat(80)} `).text).toHaveLength(64)
})
