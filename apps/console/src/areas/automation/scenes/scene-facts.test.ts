import type { SceneItem } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { blockReasonsOf, mismatchesOf, ordersOf, outcomeOf, sentCount, trackOf, whyNotChange, whyNotRun } from './scene-facts.ts'

const text = { zh: '某因', en: 'some reason' }
const because = (...keys: string[]) => keys.map((Key) => ({ Key, Text: text }))
const item = (LineID: number, over: Partial<SceneItem> = {}): SceneItem => ({
  ...{ LineID, ControllerID: 'A', LineNo: LineID, LineName: `线${LineID}`, GatewayName: 'A柜' },
  ...{ Action: 'close', Order: 0, Match: 'mismatch', Position: 'open', Switch: 'open', Unmet: [] },
  ...over,
})
const ids = (items: readonly SceneItem[]) => items.map(({ LineID }) => LineID)

test('trips are always sent, closes only where the line is open and nothing stands against it', () => {
  const orders = ordersOf([
    item(1, { Action: 'trip', Match: 'inForce' }),
    item(2, { Action: 'trip', Match: 'unknown', Switch: 'offline', Unmet: because('online') }),
    item(3),
    item(4, { Match: 'inForce', Switch: 'closed', Position: 'closed' }),
    item(5, { Unmet: because('tags', 'tripCause') }),
    item(6, { Match: 'unknown', Switch: 'unknown', Position: null }),
  ])
  expect(ids(orders.trips)).toEqual([1, 2])
  expect(ids(orders.away)).toEqual([2])
  expect(ids(orders.closes)).toEqual([3, 6])
  expect(ids(orders.already)).toEqual([4])
  expect(ids(orders.blocked)).toEqual([5])
  expect(sentCount(orders)).toBe(4)
})

test("the reader's own rights are no reason of a line: the button says them once", () => {
  const all = item(1, { Unmet: because('permission', 'notShared', 'tags') })
  expect(blockReasonsOf(all).map(({ Key }) => Key)).toEqual(['tags'])
  expect(ids(ordersOf([item(1, { Unmet: because('permission') })]).closes)).toEqual([1])
})

test('lines that stand alike and are meant alike are one row, what is known before what is not', () => {
  const rows = mismatchesOf([
    item(1, { Match: 'unknown', Switch: 'offline' }),
    item(2),
    item(3, { Match: 'inForce' }),
    item(4),
    item(5, { Switch: 'tripped' }),
    item(6, { Action: 'trip', Switch: 'closed' }),
  ])
  expect(rows.map(({ items }) => ids(items))).toEqual([[2, 4], [5], [6], [1]])
})

const whole = { Whole: true, Enabled: true }
const able = { connected: true, shared: false, maySwitch: true, mayManage: true }

test.each([
  [whole, able, null, null],
  [whole, { ...able, connected: false }, 'noConnection', 'noConnection'],
  [whole, { ...able, shared: true }, 'sharedOnly', 'sharedOnly'],
  [whole, { ...able, maySwitch: false }, 'noSwitching', 'noSwitching'],
  [whole, { ...able, mayManage: false }, null, 'noManaging'],
  [{ ...whole, Whole: false }, able, 'seenInPart', 'seenInPart'],
  [{ ...whole, Enabled: false }, able, 'isDisabled', null],
] as const)('of %o with the rights %o a run says %s and a change %s', (scene, rights, run, change) => {
  expect(whyNotRun(scene, rights)).toBe(run)
  expect(whyNotChange(scene, rights)).toBe(change)
})

test.each([
  ['waiting', null, 'waiting', 'todo'],
  ['waiting', 'sent', 'underWay', 'todo'],
  ['ordered', 'sent', 'underWay', 'todo'],
  ['ordered', 'verified', 'verified', 'done'],
  ['ordered', 'failed', 'failed', 'crossed'],
  ['ordered', 'refused', 'failed', 'crossed'],
  ['ordered', 'unknown', 'unknown', 'uncertain'],
  ['ordered', null, 'unknown', 'uncertain'],
  ['skipped', null, 'already', 'done'],
  ['refused', null, 'refused', 'todo'],
  ['missed', null, 'missed', 'todo'],
  ['stopped', null, 'stopped', 'todo'],
] as const)('a line %s with a command %s is %s, and its position is drawn %s', (State, state, outcome, last) => {
  const Command = state === null ? null : ({ State: state } as Parameters<typeof outcomeOf>[0]['Command'])
  expect(outcomeOf({ State, Command })).toBe(outcome)
  expect(trackOf[outcome][2]).toBe(last)
})
