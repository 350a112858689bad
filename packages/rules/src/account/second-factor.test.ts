import { expect, test } from 'vitest'
import { asksSecondFactor, secondFactorOf } from './second-factor.ts'

const reader = { platform: false, administrator: false, mayMoveEquipment: false }

test.each([
  [
    'who runs the installation',
    { platform: true, administrator: true, mayMoveEquipment: true },
    ['platform', 'administrators', 'operators', 'everybody'],
  ],
  [
    'a project administrator',
    { ...reader, administrator: true, mayMoveEquipment: true },
    ['administrators', 'operators', 'everybody'],
  ],
  ['who may switch', { ...reader, mayMoveEquipment: true }, ['operators', 'everybody']],
  ['who reads', reader, ['everybody']],
])('%s is asked', (_, account, by) => expect(secondFactorOf.filter((of) => asksSecondFactor(of, account))).toEqual(by))
