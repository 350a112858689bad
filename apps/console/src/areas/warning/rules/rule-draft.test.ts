import type { WarningRule } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { changesOf, figureIn, isWrong, noDraft, valuesOf } from './rule-draft.ts'

const parameter = (Name: string, Value: number, Min: number, Max: number): WarningRule['Params'][number] => ({
  ...{ Name, Value, Min, Max, Default: Value, BuiltIn: Value, Unit: 'mA', Source: '', Stricter: 'up' },
  Label: { zh: Name, en: Name },
})
const [step, minimum] = [parameter('stepShare', 0.1, 0.05, 0.5), parameter('minStepMa', 3, 1, 100)]

/** The leakage step as it is built in. */
const rule: WarningRule = {
  ...{ RuleID: null, HouseID: 7, Key: 'leakage.step', Group: 'leakage', Origin: 'builtIn', Enabled: true, Unavailable: null },
  ...{ Label: { zh: '', en: '' }, Meaning: { zh: '', en: '' }, Priority: 'medium', DefaultPriority: 'medium', Version: 0 },
  Params: [step, minimum],
  Targets: { Kind: 'all', Families: [], LineIDs: [] },
  Except: [4, 9],
  ...{ ChangedAt: null, ChangedBy: null, Lines: 62, Findings: 5, Noisy: false },
}

test.each([
  ['0.08', 0.08],
  [' 12 ', 12],
  ['0,5', 0.5],
  ['', null],
  ['1e3', null],
  ['3 mA', null],
  ['--1', null],
])('%j is typed as %s', (text, value) => {
  expect(figureIn(text)).toBe(value)
})

test('a figure outside of its range, and what is none, may not be saved', () => {
  for (const text of ['0.04', '0.51', '', 'x']) {
    const draft = { texts: { stepShare: text } }
    expect(isWrong(draft, step)).toBe(true)
    expect(valuesOf(rule, draft)).toBeNull()
  }
  for (const text of ['0.05', '0.5']) expect(isWrong({ texts: { stepShare: text } }, step)).toBe(false)
})

test('what is typed back to what it was, and lines in another order, are no change', () => {
  expect(changesOf(rule, noDraft)).toEqual([])
  expect(changesOf(rule, { texts: { stepShare: '0.10' }, enabled: true, priority: 'medium', except: [9, 4] })).toEqual([])
})

test('every change counts by its name', () => {
  const draft = {
    texts: { minStepMa: '4' },
    enabled: false,
    priority: 'high' as const,
    targets: { Kind: 'families' as const, Families: ['breaker1p'], LineIDs: [] },
    except: [],
  }
  expect(changesOf(rule, draft)).toEqual(['Enabled', 'minStepMa', 'Priority', 'Targets', 'Except'])
  expect(valuesOf(rule, draft)).toEqual({
    Enabled: false,
    Params: [
      { Name: 'stepShare', Value: 0.1 },
      { Name: 'minStepMa', Value: 4 },
    ],
    Priority: 'high',
    Targets: draft.targets,
    Except: [],
  })
})

test('lines or families that are to be chosen one by one, and none is, may not be saved', () => {
  expect(valuesOf(rule, { texts: {}, targets: { Kind: 'lines', Families: [], LineIDs: [] } })).toBeNull()
  expect(valuesOf(rule, { texts: {}, targets: { Kind: 'families', Families: [], LineIDs: [] } })).toBeNull()
})
