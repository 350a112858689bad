import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { LinkageCondition } from './linkage.ts'
import type { LinkageRule } from './linkage-fold.ts'
import { enabledLinkage, foldLinkage } from './linkage-fold.ts'

const periodMs = 10_000
const lines = ['a', 'b', 'c', 'd', 'e']
const [open, loadA] = [1, 40]

/** A breaker that is open, or a current that has fallen or still flows: what a trip changes, and so what may follow from one. */
const anyCondition = fc
  .record({
    line: fc.constantFrom(...lines),
    of: fc.constantFrom(
      { kind: 'state', key: 'position', op: '=', value: open, release: 0 } as const,
      { kind: 'point', key: 'current.a', op: '<', value: 1, release: 2 } as const,
      { kind: 'point', key: 'current.a', op: '>', value: loadA / 2, release: 1 } as const,
    ),
    forS: fc.constantFrom(0, 0, 15),
  })
  .map(({ line, of, forS }): LinkageCondition => ({ ...of, line, forS, periodMs }))
const anyTripLinkage = fc.record({
  match: fc.constantFrom('all' as const, 'any' as const),
  conditions: fc.array(anyCondition, { minLength: 1, maxLength: 3 }),
  trips: fc.subarray(lines, { minLength: 1 }),
})

test('linkages that only trip begin with what a person opens, and end after one trip of each line at most', () => {
  fc.assert(
    fc.property(
      fc.array(anyTripLinkage, { minLength: 1, maxLength: 6 }),
      fc.subarray(lines, { minLength: 1 }),
      (linkages, byHand) => {
        const opened = new Set<string>()
        const trips: string[] = []
        const states = linkages.map((each: LinkageRule) => enabledLinkage(each, 0))
        // Each line may set off one more round, after a duration of two reports.
        const rounds = 3 * (lines.length + 2)
        let lastFiring = 0
        for (let round = 1; round <= rounds; round++) {
          const at = round * periodMs
          if (round === 2) for (const line of byHand) opened.add(line)
          const values = lines.flatMap((line) => [
            { line, key: 'position', value: opened.has(line) ? open : 0 },
            { line, key: 'current.a', value: opened.has(line) ? 0 : loadA },
          ])
          const fired = linkages.filter((rule, index) => {
            const { state, firings } = foldLinkage(rule, states[index]!, [{ at, mark: 'live', values }], at)
            states[index] = state
            return firings.length > 0
          })
          if (fired.length > 0) lastFiring = round
          if (round === 1) expect(fired).toEqual([])
          for (const line of fired.flatMap((each) => each.trips)) {
            if (opened.has(line)) continue
            opened.add(line)
            trips.push(line)
          }
        }
        expect(new Set(trips).size).toBe(trips.length)
        expect(lastFiring).toBeLessThan(rounds)
      },
    ),
    { numRuns: lawRuns(200) },
  )
})
