import type { Setting } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { isSwitch } from './bypass-kind.ts'

const onOff = { min: 0, max: 1, step: 1, unit: '' } as Setting

test.each<[string, Partial<Setting>, boolean]>([
  ['on or off', {}, true],
  ['a share in tenths', { step: 0.1 }, false],
  ['a level from one', { min: 1 }, false],
  ['one of three', { max: 2 }, false],
  ['a second or none', { unit: 's' }, false],
])('%s: a switch or a level', (_, difference, is) => expect(isSwitch({ ...onOff, ...difference })).toBe(is))
