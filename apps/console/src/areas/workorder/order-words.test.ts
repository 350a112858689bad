import type { WorkOrder } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { stubBrowser } from '../../dev/test-browser.ts'

stubBrowser()
const { clockOf, provedHours, titleOf } = await import('./order-words.ts')

const where = { HouseName: '一厂', GatewayName: '柜', LineName: '照明' }
const reading = (Mark: 'onTime' | 'near' | 'over') => ({ UsedMs: 1, AllowedMs: 2, Mark })
const order = (more: Partial<WorkOrder>) => ({ Status: 'dispatched', TakenAt: null, ...more }) as WorkOrder

test('it is called as whoever wrote it called it, else as its alarm, else by its place', () => {
  const label = { zh: '过流', en: 'Overcurrent' }
  expect(titleOf({ Title: '紧固', Label: label, Where: where })).toBe('紧固')
  expect(titleOf({ Title: '', Label: label, Where: where })).toBe('过流')
  expect(titleOf({ Title: '', Label: null, Where: where })).toBe('照明')
})

test('until it is taken the time to take it is shown, unless there is worse', () => {
  const clocks = (Respond: 'onTime' | 'near' | 'over', Resolve: 'onTime' | 'near' | 'over', TakenAt: number | null = null) =>
    clockOf(order({ TakenAt, Clock: { Respond: reading(Respond), Resolve: reading(Resolve) } }))?.of
  expect([clocks('near', 'onTime'), clocks('onTime', 'over'), clocks('over', 'onTime'), clocks('onTime', 'onTime', 5)]).toEqual([
    ...['respond', 'resolve', 'resolve', 'resolve'],
  ])
})

test('what waits or is over runs no clock', () => {
  expect(clockOf(order({ Status: 'processed', Clock: { Respond: reading('onTime'), Resolve: reading('over') } }))).toBeNull()
  expect(clockOf(order({ Clock: null }))).toBeNull()
})

test('an hour of proof counts once it is whole', () => {
  expect(provedHours({ State: 'running', HaveMs: 18.9 * 3_600_000, NeedMs: 24 * 3_600_000, Missing: null })).toEqual({
    have: 18,
    need: 24,
  })
})
