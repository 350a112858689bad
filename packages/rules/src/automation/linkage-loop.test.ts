import { expect, test } from 'vitest'
import type { LinkageEffect, LinkedRule } from './linkage-loop.ts'
import { findLoop } from './linkage-loop.ts'

const rule = (
  linkageId: number,
  reads: string,
  effect: LinkageEffect['kind'],
  line: string,
  kind: 'point' | 'alarm' | 'link' = 'point',
): LinkedRule => ({
  linkageId,
  conditions: [{ kind, line: reads, key: kind === 'point' ? 'current.a' : kind === 'link' ? 'online' : 'overload' }],
  effects: [effect === 'raise' ? { kind: 'raise', line, key: 'overload' } : { kind: effect, line }],
})
const none = new Map<string, readonly string[]>()

test('two linkages that close and trip by turns are a loop, named from the close on', () => {
  expect(findLoop([rule(1, 'one', 'trip', 'three'), rule(2, 'three', 'close', 'one')], none)).toEqual([
    { linkageId: 2, line: 'one' },
    { linkageId: 1, line: 'three' },
  ])
})

test('a linkage that closes the line that it reads is a loop by itself', () => {
  expect(findLoop([rule(1, 'one', 'close', 'one')], none)).toEqual([{ linkageId: 1, line: 'one' }])
})

test.each([
  ['trips only', [rule(1, 'one', 'trip', 'two'), rule(2, 'two', 'trip', 'one')]],
  ['no way back', [rule(1, 'one', 'close', 'two'), rule(2, 'two', 'trip', 'three')]],
  ['a link, which no switching changes', [rule(1, 'one', 'close', 'one', 'link')]],
  [
    'a close outside the loop of trips',
    [rule(1, 'one', 'trip', 'two'), rule(2, 'two', 'trip', 'one'), rule(3, 'two', 'close', 'four')],
  ],
])('%s is no loop', (_name, rules) => {
  expect(findLoop(rules, none)).toBeNull()
})

test('a close changes what the line feeds, over any number of lines', () => {
  const feeds = new Map([
    ['main', ['board']],
    ['board', ['socket']],
  ])
  const rules = [rule(1, 'socket', 'close', 'main')]
  expect(findLoop(rules, feeds)).toEqual([{ linkageId: 1, line: 'main' }])
  expect(findLoop(rules, none)).toBeNull()
})

test('an alarm that a linkage raises causes the one that reads it', () => {
  const rules = [rule(1, 'one', 'raise', 'two'), rule(2, 'two', 'close', 'one', 'alarm')]
  expect(findLoop(rules, none)).toEqual([
    { linkageId: 2, line: 'one' },
    { linkageId: 1, line: 'two' },
  ])
})

test('of several ways back the shortest is named', () => {
  const rules = [rule(1, 'a', 'close', 'b'), rule(2, 'b', 'trip', 'c'), rule(3, 'c', 'trip', 'a'), rule(4, 'b', 'trip', 'a')]
  expect(findLoop(rules, none)?.map(({ linkageId }) => linkageId)).toEqual([1, 4])
})
