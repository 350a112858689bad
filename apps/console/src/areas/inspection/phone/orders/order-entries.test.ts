import type { WorkOrder } from '@linewarden/contract'
import { describe, expect, test } from 'vitest'
import { nextBatch } from '../../../../app/offline/entry.ts'
import { withActs, withActsInstead } from '../../../../app/offline/outbox-acts.ts'
import type { OrderDeed } from './order-entries.ts'
import { actsOn, nextOf, offered, orderThing, unsentOf } from './order-entries.ts'

type Act = WorkOrder['Acts'][number]
const refusal = { Key: 'order not yours', Text: { zh: '', en: '' } }
const acts = (may: readonly Act['Act'][], not: readonly Act['Act'][] = []): Act[] => [
  ...may.map((each): Act => ({ Act: each, Who: [], Refusal: null })),
  ...not.map((each): Act => ({ Act: each, Who: [], Refusal: refusal })),
]
const inCharge = { Status: 'dispatched', Acts: acts(['take', 'decline', 'pause', 'process'], ['resume']) } as const

const deeds = (...all: readonly OrderDeed['Does'][]) =>
  actsOn(
    withActs(
      [],
      all.map((Does, at) => ({
        ...{ id: `a${at}`, thing: orderThing(7), kind: 'order', rank: Does === 'process' ? (2 as const) : (0 as const) },
        body: { Does },
      })),
      0,
    ),
    7,
  )

describe('what a phone offers of an order', () => {
  test('is what the server lets happen', () => {
    expect(offered(inCharge, [])).toEqual(['take', 'arrive', 'comment', 'pause', 'process'])
    const helper = { ...inCharge, Acts: acts(['process'], ['take', 'pause', 'resume']) }
    expect(offered(helper, [])).toEqual(['arrive', 'comment', 'process'])
    expect(offered({ ...inCharge, Acts: acts(['take', 'resume', 'process'], ['pause']) }, [])).toContain('resume')
  })

  test('goes on from what waits here', () => {
    expect(offered(inCharge, deeds('take', 'arrive'))).toEqual(['comment', 'pause', 'process'])
    expect(offered(inCharge, deeds('take', 'pause'))).toEqual(['arrive', 'comment', 'resume', 'process'])
    expect(offered(inCharge, deeds('pause', 'resume'))).toContain('pause')
  })

  test('is only words once it is reported as done, here or at the server', () => {
    expect(offered(inCharge, deeds('take', 'process'))).toEqual(['comment'])
    expect(offered({ Status: 'processed', Acts: acts(['process']) }, [])).toEqual(['comment'])
  })

  test('is offered again after the server did not take it', () => {
    const refused = deeds('take').map((each) => ({ ...each, state: 'refused' as const }))
    expect(offered(inCharge, refused)).toContain('take')
  })
})

describe('the big button', () => {
  const next = (waiting: readonly OrderDeed['Does'][], ...history: Parameters<typeof nextOf>[1][number]['Act'][]) => {
    const all = deeds(...waiting)
    return nextOf(
      offered(inCharge, all),
      history.map((Act) => ({ Act })),
      all,
    )
  }
  test('leads from taking over arriving to reporting it as done', () => {
    expect(next([])).toBe('take')
    expect(next(['take'])).toBe('arrive')
    expect(next(['take', 'arrive'])).toBe('process')
    expect(next(['take', 'pause'])).toBe('resume')
    expect(next(['take', 'process'])).toBeNull()
  })

  test('asks to arrive again once it was given anew', () => {
    expect(next(['take'], 'dispatch', 'arrive')).toBe('process')
    expect(next(['take'], 'dispatch', 'arrive', 'process', 'return', 'dispatch')).toBe('arrive')
  })
})

test('what was refused is done again once, however often it is pressed, and by as many pages', () => {
  const [waiting] = deeds('process')
  if (!waiting) throw new Error('nothing waits')
  const again = { ...waiting, id: 'again' }
  const instead = withActsInstead(waiting.id)
  const entries = [{ ...waiting, state: 'refused' as const }]
  expect(unsentOf(entries, 7)).toEqual({ waiting: 0, refused: 1 })
  const once = instead(entries, [again], 0)
  expect(once.map(({ id, state }) => [id, state])).toEqual([['again', 'waiting']])
  expect(instead(once, [{ ...again, id: 'twice' }], 0)).toEqual(once)
  expect(unsentOf(once, 7)).toEqual({ waiting: 1, refused: 0 })
  // Of another order it counts nothing.
  expect(unsentOf(once, 8)).toEqual({ waiting: 0, refused: 0 })
})

test('acts go in the order in which they were done, their photos after them, and that it is dealt with last', () => {
  let entries = withActs([], [], 0)
  const add = (id: string, kind: string, rank: 0 | 1 | 2) => {
    entries = withActs(entries, [{ id, thing: orderThing(7), kind, rank, body: { Does: id } }], 0)
  }
  add('take', 'order', 0)
  add('photo', 'photo', 1)
  add('process', 'order', 2)
  add('comment', 'order', 0)
  const sent: string[] = []
  for (;;) {
    const [head] = nextBatch(entries, 0, () => 1)
    if (!head) break
    sent.push(head.id)
    entries = entries.filter(({ id }) => id !== head.id)
  }
  expect(sent).toEqual(['take', 'comment', 'photo', 'process'])
})
