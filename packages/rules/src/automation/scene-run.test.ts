import { expect, test } from 'vitest'
import type { RunLine } from './scene-run.ts'
import { isOver, outerRunEnd, sceneRunEnd } from './scene-run.ts'

const line = (state: RunLine['state'], command: RunLine['command'] = null): RunLine => ({ state, command })

test.each([
  ['every order is verified', [line('ordered', 'verified'), line('skipped')], 'done'],
  ['an order was sent and nothing proves it', [line('ordered', 'verified'), line('ordered', 'unknown')], 'partly'],
  ['an order failed', [line('ordered', 'failed')], 'partly'],
  ['one line was refused', [line('ordered', 'verified'), line('refused')], 'partly'],
  ['every line was refused', [line('refused'), line('refused')], 'refused'],
  ['everything stood so already', [line('skipped')], 'skipped'],
  ['somebody stopped it', [line('ordered', 'verified'), line('stopped')], 'stopped'],
  ['the server stopped before its turns', [line('missed')], 'missed'],
] as const)('a run of which %s', (_, lines, end) => expect(sceneRunEnd(lines)).toBe(end))

test.each([
  ['its own lines were ordered and those of its scene verified', ['ordered'], [line('ordered', 'verified')], 'done'],
  ['a line of its scene failed', ['ordered'], [line('ordered', 'failed')], 'partly'],
  ['one of its own was refused', ['refused'], [line('ordered', 'verified')], 'partly'],
  ['it did nothing but run a scene that was missed', [], [line('missed')], 'missed'],
] as const)('a run that ran a scene, and %s', (_, own, ofScenes, end) => expect(outerRunEnd(own, ofScenes)).toBe(end))

test.each([
  [line('waiting'), false],
  [line('ordered', 'authorised'), false],
  [line('ordered', 'sent'), false],
  [line('ordered', 'acknowledged'), false],
  [line('ordered', 'unknown'), true],
  [line('ordered', 'verified'), true],
  [line('refused'), true],
  [line('missed'), true],
] as const)('of %j nothing more is awaited: %s', (each, over) => expect(isOver(each)).toBe(over))
