import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Entry, Outcome } from './entry.ts'
import { countsOf, delayMs, dueNow, nextBatch, nextDue, settled } from './entry.ts'
import { withActs, withAgain } from './outbox-acts.ts'

const entry = (seq: number, more: Partial<Entry> = {}): Entry => ({
  ...{ id: `e${seq}`, rev: 1, seq, thing: 'round:1', kind: 'answer', rank: 0, body: null, madeAt: 0 },
  ...{ state: 'waiting', tries: 0, notBefore: 0, why: null },
  ...more,
})
const most = () => 3
const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id)

describe('what is sent next', () => {
  test('goes in the order in which it was made, so many at once', () => {
    expect(ids(nextBatch([entry(4), entry(2), entry(1), entry(3)], 0, most))).toEqual(['e1', 'e2', 'e3'])
  })

  test('is what was done, then its photos, then what counts only with them', () => {
    const photo = entry(1, { kind: 'photo', rank: 1 })
    const end = entry(2, { kind: 'finish', rank: 2 })
    const late = entry(3)
    expect(ids(nextBatch([photo, end, late], 0, most))).toEqual(['e3'])
    expect(ids(nextBatch([photo, end], 0, most))).toEqual(['e1'])
    expect(ids(nextBatch([end], 0, most))).toEqual(['e2'])
  })

  test('of one thing does not wait for another that is put off', () => {
    const off = entry(1, { notBefore: 500 })
    const behind = entry(2)
    const other = entry(3, { thing: 'order:7', kind: 'order' })
    expect(ids(nextBatch([off, behind, other], 0, most))).toEqual(['e3'])
    expect(ids(nextBatch([off, behind, other], 500, most))).toEqual(['e1', 'e2'])
  })

  test('is nothing of what the server holds, refused or contradicts', () => {
    const over = (['held', 'refused', 'conflict'] as const).map((state, at) => entry(at + 1, { state }))
    expect(nextBatch(over, 0, most)).toEqual([])
    expect(nextDue(over)).toBeNull()
  })
})

describe('an outcome', () => {
  test.each(['held', 'refused', 'conflict'] as const)('%s ends the waiting of the very answer it names', (became) => {
    const [after] = settled([entry(1)], [{ id: 'e1', rev: 1, became }], 0, 0)
    expect(after?.state).toBe(became)
  })

  test('of an answer that was given anew meanwhile leaves the new one waiting', () => {
    const [after] = settled([entry(1, { rev: 2 })], [{ id: 'e1', rev: 1, became: 'held' }], 0, 0)
    expect(after).toMatchObject({ state: 'waiting', rev: 2 })
  })

  test('"later" puts it off, longer each time, at most five minutes', () => {
    const waits = Array.from({ length: 20 }, (_, tries) => delayMs(tries, 1))
    expect(waits.slice(0, 4)).toEqual([2_000, 4_000, 8_000, 16_000])
    expect(Math.max(...waits)).toBe(300_000)
    const [after] = settled([entry(1, { tries: 1 })], [{ id: 'e1', rev: 1, became: 'later' }], 1_000, 1)
    expect(after).toMatchObject({ state: 'waiting', tries: 2, notBefore: 5_000 })
    expect(dueNow([after as Entry])[0]?.notBefore).toBe(0)
  })
})

test('an answer given anew takes the place of the former with a higher revision, above what the server has', () => {
  const act = { id: 'a', thing: 'round:1', kind: 'answer', rank: 0, body: 1 } as const
  const once = withActs([], [act], 0)
  expect(once[0]?.rev).toBe(1)
  const again = withActs(once, [{ ...act, body: 2 }], 0)
  expect(again).toHaveLength(1)
  expect(again[0]).toMatchObject({ rev: 2, body: 2, state: 'waiting' })
  expect(withActs(again, [{ ...act, afterRev: 9 }], 0)[0]?.rev).toBe(10)
})

test('what was refused waits once more, as it is and at its place, and nothing else does', () => {
  const why = { zh: '巡检已完成', en: 'The round is finished' }
  const photo = entry(1, { kind: 'photo', rank: 1, state: 'refused', tries: 3, notBefore: 900, why, body: { Hash: 'x' } })
  const others = [entry(2, { state: 'refused', why }), entry(3, { state: 'conflict' }), entry(4, { kind: 'finish', rank: 2 })]
  const [again, ...rest] = withAgain([photo, ...others], 'e1')
  expect(again).toEqual({ ...photo, state: 'waiting', tries: 0, notBefore: 0, why: null })
  expect(rest).toEqual(others)
  expect(ids(nextBatch([again as Entry, ...rest], 0, most))).toEqual(['e1'])
  // Refused anew it is the person's once more.
  const [refused] = settled([again as Entry], [{ id: 'e1', rev: 1, became: 'refused', why }], 0, 0)
  expect(refused).toMatchObject({ state: 'refused', why })
  expect(withAgain(others, 'e3')).toEqual(others)
})

test('counts are of what waits and what somebody has to look at', () => {
  const kinds = ['answer', 'photo', 'order', 'finish'].map((kind, at) => entry(at, { kind }))
  expect(countsOf([...kinds, entry(9, { state: 'refused' }), entry(10, { state: 'held' })])).toEqual({
    ...{ photos: 1, answers: 1, orders: 1, others: 1, flagged: 1 },
  })
})

const became = fc.constantFrom('held', 'refused', 'conflict', 'later', 'lost', 'unnamed')

test('whatever the server says and however often it is not heard: nothing is lost, nothing is settled unnamed, and order is kept within a thing', () => {
  const acts = fc.array(
    fc.record({
      item: fc.integer({ min: 0, max: 5 }),
      thing: fc.constantFrom('round:1', 'round:2'),
      kind: fc.constantFrom('answer', 'photo', 'finish'),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(acts, fc.array(became, { maxLength: 6 })), { maxLength: 8 }), (turns) => {
      let entries: readonly Entry[] = []
      let now = 0
      const made = new Map<string, number>()
      const named = new Map<string, number>()
      for (const [more, why] of turns) {
        const fresh = more.map(({ item, thing, kind }) => ({
          ...{ id: `${thing} ${kind} ${item}`, thing, kind, body: null },
          rank: kind === 'answer' ? (0 as const) : kind === 'photo' ? (1 as const) : (2 as const),
        }))
        entries = withActs(entries, fresh, now)
        for (const { id } of fresh) made.set(id, (made.get(id) ?? 0) + 1)
        for (const each of why) {
          now += 400_000
          const batch = nextBatch(entries, now, most)
          for (const one of batch)
            for (const other of entries)
              if (other.state === 'waiting' && other.thing === one.thing && !batch.includes(other))
                expect([other.rank, other.seq] > [one.rank, one.seq] || other.rank > one.rank || other.seq > one.seq).toBe(true)
          if (each === 'lost' || each === 'unnamed') continue
          const outcomes = batch.map(({ id, rev }): Outcome => ({ id, rev, became: each }))
          if (each !== 'later') for (const { id, rev } of outcomes) named.set(id, rev)
          entries = settled(entries, outcomes, now, 0)
        }
      }
      expect(new Set(ids(entries))).toEqual(new Set(made.keys()))
      for (const { id, rev, state } of entries) {
        expect(rev).toBe(made.get(id))
        expect(state !== 'waiting').toBe(named.get(id) === rev)
      }
    }),
    { numRuns: 2_000 },
  )
})
