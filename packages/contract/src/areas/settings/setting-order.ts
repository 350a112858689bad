import * as Type from 'typebox'
import { ControllerID, exact, optional, ownUuid, requiredText, SettingValue, time } from '../../core/schemas.ts'

export const LineNo = Type.Integer({ minimum: 0, maximum: 9999, description: '0: the detector itself' })
export const SettingKey = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Setting key of the family, such as `leakage.trip`',
})

/** How many lines one order may reach. */
export const maxTargets = 500

/** The values that an order asks for. */
export const WantedValues = Type.Array(Type.Object({ Key: SettingKey, Value: SettingValue }, exact), {
  minItems: 1,
  maxItems: 32,
})

const why = {
  Reason: requiredText(200),
  Grant: optional(
    Type.String({
      secret: true,
      minLength: 1,
      maxLength: 128,
      description:
        'From POST /users/control/grant, when a control password is set; for `set:{CommandID or BatchID}/{SHA-256 of targets and values}`',
    }),
  ),
  OffUntil: optional(
    time('Needed when a protection is switched off or set to where it hardly protects: when the former value comes back'),
  ),
} as const
const CommandID = { ...ownUuid, description: 'Made once per intent: sending it again never sets twice' }
const BatchID = { ...ownUuid, description: 'Made once per intent, for all its targets: sending it again never sets twice' }

/** What every order for one target carries beside its values. */
export const orderOfOne = { CommandID, ...why } as const
/** What every order for many targets carries beside its values. */
export const orderOfMany = { BatchID, ...why } as const

export const SettingTarget = Type.Object({ ControllerID, LineNo }, exact)
export type SettingTarget = Type.Static<typeof SettingTarget>

/** Setting, what was set and templates are one permission. */
export const toSet = { area: 'settings', permission: 'devmon.params' } as const
