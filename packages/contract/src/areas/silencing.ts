import * as Type from 'typebox'
import { call } from '../call.ts'
import { CommandRecord, OperateRequest } from './control.ts'

const exact = { additionalProperties: false } as const

/** Silencing of one family's detectors: the same command as everywhere, on line 0 of the device. */
const silencing = {
  area: 'control',
  method: 'PUT',
  permission: 'lineSwitch',
  scope: { kind: 'line', device: 'ControllerID' },
  body: Type.Object({ ControllerID: Type.String({ minLength: 1, maxLength: 64 }), ...OperateRequest.properties }, exact),
  data: CommandRecord,
} as const

export const silenceSmoke = call({
  ...silencing,
  name: 'silenceSmoke',
  path: '/smoke/silencing',
  summary: 'Silence a smoke detector that sounds',
})
export const silenceGas = call({
  ...silencing,
  name: 'silenceGas',
  path: '/gas/silencing',
  summary: 'Silence a gas detector that sounds',
})
export const silenceNt8141 = call({
  ...silencing,
  name: 'silenceNt8141',
  path: '/nt8141/silencing',
  summary: 'Silence an NT8141 smoke detector that sounds',
})
export const silenceNt8117 = call({
  ...silencing,
  name: 'silenceNt8117',
  path: '/nt8117/silencing/lte',
  summary: 'Silence an NT8117 smoke detector that sounds',
})
export const silenceNt9141 = call({
  ...silencing,
  name: 'silenceNt9141',
  path: '/nt9141/silencing/lte',
  summary: 'Silence an NT9141 gas detector that sounds',
})
export const silenceLimiter = call({
  ...silencing,
  name: 'silenceLimiter',
  path: '/aesp/silencing',
  summary: 'Silence a current-limiting protector that sounds',
})
