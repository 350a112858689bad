import type { Timer } from '@linewarden/contract'
import { timerFunctions } from '@linewarden/rules/automation'
import { expect, test } from 'vitest'
import type { FormValues } from './form-values.ts'
import { clockText, emptyValues, formOf, steppedClock, valuesOf, withFunction, withPoint } from './form-values.ts'
import { templates, valuesOfTemplate } from './templates.ts'

const values = (more: Partial<FormValues>): FormValues => ({ ...emptyValues, ...more })

test.each([
  ['8:05', '08:05'],
  ['08：05', '08:05'],
  ['8.05.30', '08:05:30'],
  ['23:59:00', '23:59'],
  ['24:00', '24:00'],
  ['noon', 'noon'],
  [' ', ''],
])('%j is written as %j', (typed, text) => expect(clockText(typed)).toBe(text))

test.each([
  ['23:59', 4, 1, '00:00'],
  ['00:00', 1, -1, '23:00'],
  ['08:00:59', 7, 1, '08:01'],
  ['08:00', 2, 1, '09:00'],
  ['', 0, 1, ''],
])('%s stepped at %i by %i is %s', (text, caret, by, after) => expect(steppedClock(text, caret, by)).toBe(after))

test('only what the type needs is sent, and going back to another type has lost nothing', () => {
  const all = values({
    ...{ type: 'once', date: '2026-12-01', weekDays: 31, monthDays: [1, -1], classes: ['holiday'], from: '2026-01-01' },
    exceptions: [{ key: 0, from: '2026-12-24', to: '', points: null }],
  })
  expect(formOf(all)).toMatchObject({ Period: { Date: '2026-12-01', FromDate: null, ToDate: null }, Exceptions: [] })
  expect(formOf({ ...all, type: 'weekly' }).Period).toEqual({ Days: 31, FromDate: '2026-01-01', ToDate: null })
  expect(formOf({ ...all, type: 'monthly' }).Period).toMatchObject({ Days: [1, -1] })
  expect(formOf({ ...all, type: 'calendar' })).toMatchObject({
    Period: { Classes: ['holiday'] },
    Exceptions: [{ FromDate: '2026-12-24', ToDate: '2026-12-24', Do: 'none' }],
  })
})

test('a time by the sun is sent of that type only; an offset that is no number is sent as one that is refused', () => {
  const point = { no: 1, by: 'set', at: '18:00', offset: '-15', action: 'close' } as const
  const form = (type: FormValues['type'], offset: string) =>
    formOf(values({ type, points: [{ ...point, offset }] })).Points[0]?.At
  expect([form('sun', '-15'), form('sun', ''), form('sun', '1.5'), form('weekly', '-15')]).toEqual([
    { Sun: 'set', OffsetMin: -15 },
    { Sun: 'set', OffsetMin: 9_999 },
    { Sun: 'set', OffsetMin: 9_999 },
    '18:00',
  ])
})

test('another function turns the actions into its own', () => {
  const points = withPoint(withPoint([], emptyValues) ?? [], values({ function: 'switch' })) ?? []
  expect(points.map(({ action }) => action)).toEqual(['close', 'trip'])
  const tests = withFunction(values({ points, exceptions: [{ key: 0, from: '', to: '', points }] }), 'selfTest')
  expect(tests.points.map(({ action }) => action)).toEqual(['test', 'test'])
  expect(tests.exceptions[0]?.points?.map(({ action }) => action)).toEqual(['test', 'test'])
  expect(withFunction(tests, 'switch').points.map(({ action }) => action)).toEqual(['close', 'trip'])
})

test('a new time takes the lowest free number, and there are no more than eight', () => {
  let points: FormValues['points'] = []
  for (let count = 0; count < 8; count += 1) points = withPoint(points, emptyValues) ?? []
  expect(points.map(({ no }) => no)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(withPoint(points, emptyValues)).toBeNull()
  const without = points.filter(({ no }) => no !== 3)
  expect(withPoint(without, emptyValues)?.at(-1)?.no).toBe(3)
})

test('what is stored comes back as it was; a copy has no name', () => {
  const form = formOf(valuesOfTemplate('workday', '办公室'))
  const timer = { ...form, Lines: [{ ControllerID: 'A', LineNo: 1, LineID: 7, LineName: 'x' }] } as unknown as Timer
  expect(formOf(valuesOf(timer, false))).toEqual({ ...form, Lines: [{ ControllerID: 'A', LineNo: 1 }] })
  expect(valuesOf(timer, true).name).toBe('')
})

test.each(templates)('the template %s lacks nothing but its lines', (template) => {
  const form = formOf(valuesOfTemplate(template, 'x'))
  const actions: readonly string[] = timerFunctions[form.Function ?? 'scene']
  expect(form.Points.every(({ Action }) => actions.includes(Action))).toBe(true)
  expect([form.Type !== null, form.Points.length > 0, form.Lines.length]).toEqual([true, true, 0])
})
