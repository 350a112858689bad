import { familyOf } from '@linewarden/equipment'
import { beforeAll, expect, test } from 'vitest'
import { startTestTexts } from '../../dev/test-texts.ts'
import { changeRows } from './change-rows.ts'

beforeAll(startTestTexts)

const settings = familyOf('breaker1p')?.settings ?? []
const trip = settings.find(({ key }) => key === 'leakage.trip')
/** Lines that report this trip level of residual current. */
const reporting = (...levels: readonly (number | null)[]) =>
  levels.map((Reported) => ({ Settings: [{ Key: 'leakage.trip', Reported }] })) as unknown as Parameters<typeof changeRows>[1]
const rowOf = (levels: readonly (number | null)[], bypassed: Parameters<typeof changeRows>[3] = new Set()) =>
  changeRows(settings, reporting(...levels), { 'leakage.trip': 300 }, bypassed)

test('a change is told from what the line reports to what is sent, with its unit', () => {
  expect(rowOf([30])).toEqual([{ name: '漏电动作值', from: '30 mA', to: '300 mA', isBypass: false }])
})

test('of several lines the lowest and the highest are told, and that some do not report it', () => {
  expect(rowOf([30, 30]).map(({ from }) => from)).toEqual(['30 mA'])
  expect(rowOf([100, 30, 50]).map(({ from }) => from)).toEqual(['30 mA 至 100 mA'])
  expect(rowOf([100, null, 30]).map(({ from }) => from)).toEqual(['30 mA 至 100 mA，部分未上报'])
})

test('what no line reports is a dash, never a value', () => {
  expect(rowOf([null]).map(({ from }) => from)).toEqual(['–'])
})

test('the row of a protection that is bypassed says so', () => {
  if (!trip) throw new Error('the family has no trip level')
  expect(rowOf([30], new Set([trip])).map(({ isBypass }) => isBypass)).toEqual([true])
})
