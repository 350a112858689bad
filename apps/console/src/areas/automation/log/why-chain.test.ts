import type { RunState } from '@linewarden/rules/automation'
import { expect, test } from 'vitest'
import { checks, whyChain } from './why-chain.ts'

const run = (State: RunState) => ({ State })

test.each([
  ['disabled', [], 'enabled', 0],
  ['beforeFrom', [], 'dates', 1],
  ['exception', [], 'exception', 2],
  ['period', [], 'period', 3],
  ['noPoint', [], 'point', 4],
  ['ran', [run('skipped')], 'skipped', 5],
  ['ran', [run('missed')], 'claimed', 6],
  ['ran', [run('partly')], 'lines', 7],
  ['ran', [run('merged'), run('refused')], 'lines', 7],
] as const)('%s: the first check that fails is named, and those before it are fulfilled', (Why, Runs, failed, passed) => {
  expect(whyChain({ Why, Runs })).toEqual({ failed, passed: checks.slice(0, passed) })
})

test('a run that did everything fulfils every check, one that goes on not yet the last, one that is to come none of its own', () => {
  expect(whyChain({ Why: 'ran', Runs: [run('done')] })).toEqual({ failed: null, passed: checks })
  expect(whyChain({ Why: 'ran', Runs: [run('running')] }).passed).not.toContain('lines')
  expect(whyChain({ Why: 'due', Runs: [] }).passed.at(-1)).toBe('point')
})
