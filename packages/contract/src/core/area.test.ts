import { expect, test } from 'vitest'
import { subjects } from '../areas/push/names.ts'
import { foldOf } from '../terms/fold.ts'
import { refused } from '../terms/text.ts'
import { area, callsIn } from './area.ts'
import { call } from './call.ts'

const tripAll = call({
  name: 'tripAll',
  method: 'POST',
  path: '/lines/all',
  area: 'push',
  permission: 'lineSwitch',
  scope: { kind: 'own' },
  touches: ['pushes'],
  summary: 'Of no house',
})
const named = { refusedCalls: { addPush: refused('新增推送订阅', 'Add push subscription') } }

// Each of these is checked by the compiler: an error that goes missing is one.
test('an area names every call whose refusal is logged', () => {
  const calls = { addPush: { ...tripAll, name: 'addPush' } } as const
  expect(area({ name: 'push', calls, names: named }).calls).toBe(calls)
  // @ts-expect-error addPush has no name among refusedCalls
  area({ name: 'push', calls })
})

test('an area keeps no name of a call that is gone, or whose refusal nobody logs', () => {
  // @ts-expect-error addPush is named and is no call
  area({ name: 'push', calls: {}, names: named })
  const reads = { addPush: { ...tripAll, name: 'addPush', reads: true } } as const
  // @ts-expect-error addPush reads
  area({ name: 'push', calls: reads, names: named })
})

test('a call that changes something says what is to be read again after it', () => {
  const { touches: _, ...silent } = { ...tripAll, name: 'addPush' } as const
  // @ts-expect-error it does not say what it touches
  area({ name: 'push', calls: { addPush: silent }, names: named })
})

test('a call stands under its own name, in its own area', () => {
  const calls = { addPush: { ...tripAll, name: 'addPush' } } as const
  // @ts-expect-error it is called tripAll
  area({ name: 'push', calls: { addPush: tripAll }, names: named })
  // @ts-expect-error it is a call of push
  area({ name: 'site', calls, names: named })
})

test('what an area names is folded into what everybody knows', () => {
  // @ts-expect-error tripAll is no action of the audit trail
  area({ name: 'push', calls: { tripAll }, names: { refusedCalls: { tripAll: refused('全部分闸', 'Trip all') } } })
  // @ts-expect-error no fold has this subject
  area({ name: 'push', calls: {}, names: { subjects: { parcel: subjects.push } } })
})

test('a key that two areas declare does not compile', () => {
  expect(foldOf({ trip: 1 }, { close: 2 })).toEqual({ trip: 1, close: 2 })
  // @ts-expect-error both have trip
  foldOf({ trip: 1 }, { close: 2 }, { trip: 3 })
})

test('of what a file offers only the calls are calls', () => {
  expect(callsIn({ tripAll, subjects, most: 20 }, { named })).toEqual({ tripAll })
})
