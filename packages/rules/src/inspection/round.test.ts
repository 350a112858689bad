import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { RoundAct, RoundState } from './round.ts'
import { actsOfRound, roundActs, roundAfter, roundStates } from './round.ts'

test('only these transitions are there', () => {
  const all = roundStates.flatMap((from) =>
    roundActs.flatMap((act) => (roundAfter(from, act) === null ? [] : [`${from} ${act} ${roundAfter(from, act)}`])),
  )
  expect(all.sort()).toEqual([
    'finished approve approved',
    'finished return returned',
    'planned breakOff abandoned',
    'planned lapse lapsed',
    'planned start started',
    'returned abandon abandoned',
    'returned start started',
    'started abandon abandoned',
    'started breakOff abandoned',
    'started finish finished',
  ])
})

test('what can be done in a state is what leads somewhere from it', () => {
  expect(actsOfRound('started')).toEqual(['finish', 'abandon', 'breakOff'])
  expect(actsOfRound('approved')).toEqual([])
})

test('no sequence of acts approves what was not finished, or wakes what is over', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom<RoundAct>(...roundActs), { maxLength: 12 }), (acts) => {
      let state: RoundState = 'planned'
      const seen: RoundState[] = [state]
      for (const act of acts) {
        const after = roundAfter(state, act)
        if (after === null) continue
        expect(['approved', 'lapsed', 'abandoned']).not.toContain(state)
        if (after === 'approved' || after === 'returned') expect(state).toBe('finished')
        state = after
        seen.push(state)
      }
      if (seen.includes('approved')) expect(seen).toContain('started')
    }),
    { numRuns: lawRuns(10_000) },
  )
})
