import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { detectors } from './catalogue.ts'
import { harmonic } from './harmonic.ts'
import { leakageStep } from './leakage-step.ts'
import type { RuleTargets, StoredRule } from './rule.ts'
import { appliesTo, builtInRule, isMeasured, noisyAbove, ruleCatalogue, ruleInForce } from './rule.ts'
import { ruleTexts } from './rule-texts.ts'
import { shareOfLimit } from './share-of-limit.ts'
import { stricterWay } from './stricter.ts'

const stored = (more: Partial<StoredRule> = {}): StoredRule => ({
  ...{ ruleId: 1, projectId: 7, ownerId: null, key: 'leakage.step', version: 3, enabled: true, params: {} },
  ...{ priority: 'medium', targets: { kind: 'all' }, except: [] },
  ...more,
})
const place = { projectId: 7, ownerId: 'anna' }
const inForce = (rules: readonly StoredRule[]) => ruleInForce(leakageStep, place, rules)
const ofOwner = (more: Partial<StoredRule> = {}) => stored({ ruleId: 2, projectId: null, ownerId: 'anna', ...more })

test.each<[string, readonly StoredRule[], string, number]>([
  ['nobody set one', [], 'builtIn', 5.5],
  ['its own owner set a default', [ofOwner({ params: { decision: 6 } })], 'default', 6],
  [
    'it has its own beside the default',
    [ofOwner({ params: { decision: 6 } }), stored({ params: { decision: 10 } })],
    'project',
    10,
  ],
  ['another owner set a default', [ofOwner({ ownerId: 'bert', params: { decision: 6 } })], 'builtIn', 5.5],
  ['the installation set its own default', [ofOwner({ ownerId: null, params: { decision: 6 } })], 'builtIn', 5.5],
  ['another project has its own', [stored({ projectId: 8, params: { decision: 6 } })], 'builtIn', 5.5],
  ['another rule was set', [stored({ key: 'contact', params: { decision: 6 } })], 'builtIn', 5.5],
])('where %s, that is in force', (_, rules, origin, decision) => {
  expect(inForce(rules)).toMatchObject({ origin, params: { decision } })
})

test('a figure that a rule does not name comes from the next level', () => {
  const rule = inForce([ofOwner({ params: { decision: 6, stepShare: 0.2 } }), stored({ params: { decision: 10 } })])
  expect(rule.params).toMatchObject({ decision: 10, stepShare: 0.2, minStepMa: 3 })
})

test('one that the detector knows no more falls away, and one beyond its range is brought back', () => {
  const { params } = inForce([stored({ params: { decision: 99, former: 1 } })])
  expect(params.decision).toBe(16)
  expect(params).not.toHaveProperty('former')
})

test.each<[string, RuleTargets, readonly number[], number | null, string | null, boolean]>([
  ['a line of all', { kind: 'all' }, [], 4, 'breaker3p', true],
  ['a line that is left out', { kind: 'all' }, [4], 4, 'breaker3p', false],
  ['a line of its family', { kind: 'families', families: ['breaker3p'] }, [], 4, 'breaker3p', true],
  ['a line of another family', { kind: 'families', families: ['smoke'] }, [], 4, 'breaker3p', false],
  ['a line that is named', { kind: 'lines', lineIds: [4] }, [], 4, 'breaker3p', true],
  ['a line that is not named', { kind: 'lines', lineIds: [5] }, [], 4, 'breaker3p', false],
  ['a gateway, of all', { kind: 'all' }, [4], null, null, true],
  ['a gateway, of families', { kind: 'families', families: ['breaker3p'] }, [], null, null, false],
  ['a gateway, of lines', { kind: 'lines', lineIds: [4] }, [], null, null, false],
])('%s: is it a target?', (_, targets, except, lineId, family, expected) =>
  expect(appliesTo({ targets, except }, { lineId, family })).toBe(expected),
)

test('what nothing measures is listed and never in force', () => {
  expect(isMeasured(harmonic.key)).toBe(false)
  expect(builtInRule(harmonic).enabled).toBe(false)
  expect(ruleInForce(harmonic, place, [stored({ key: 'harmonic', enabled: true })]).enabled).toBe(false)
  expect(ruleCatalogue.map(({ key }) => key)).toEqual([...detectors.map(({ key }) => key), 'harmonic'])
})

test('every rule has its texts in both languages, and every figure a way that is stricter or none', () => {
  for (const { key, parameters } of ruleCatalogue) {
    const texts = ruleTexts[key]
    for (const text of [texts?.meaning, texts?.advice]) {
      expect([key, /\p{Script=Han}.*[。]$/u.test(text?.zh ?? '')]).toEqual([key, true])
      expect([key, /^[A-Z].*[.]$/.test(text?.en ?? '')]).toEqual([key, true])
    }
    for (const name of Object.keys(parameters)) expect([null, 'up', 'down']).toContain(stricterWay(key, name))
  }
  expect(Object.keys(ruleTexts).toSorted()).toEqual(ruleCatalogue.map(({ key }) => key).toSorted())
})

test('more than one finding for ten lines in thirty days is noisy', () => {
  expect([noisyAbove(62), noisyAbove(62, 15), noisyAbove(0)]).toEqual([6.2, 3.1, 0])
})

test.each([
  ['contact', 18, 15, 1.2],
  ['phaseLoss', 23, 46, 2],
  ['contact', 18, 0, null],
  ['phaseLoss', 0, 46, null],
])('%s at %d of %d stands at %s of its limit', (key, value, limit, share) => expect(shareOfLimit(key, value, limit)).toBe(share))

test('whatever was stored, a rule in force has every figure of its detector, within its range', () => {
  const anyRule = fc.record({
    projectId: fc.constantFrom(7, 8, null),
    params: fc.dictionary(fc.constantFrom(...Object.keys(leakageStep.parameters), 'former'), fc.double({ noNaN: true })),
  })
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 3 }), (rules) => {
      const { params } = inForce(
        rules.map(({ projectId, params }) => stored({ projectId, params, ownerId: projectId === null ? 'anna' : null })),
      )
      expect(Object.keys(params).toSorted()).toEqual(Object.keys(leakageStep.parameters).toSorted())
      for (const [name, { min, max }] of Object.entries(leakageStep.parameters))
        expect((params[name] ?? Number.NaN) >= min && (params[name] ?? Number.NaN) <= max).toBe(true)
    }),
    { numRuns: lawRuns(2_000) },
  )
})
