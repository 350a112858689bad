import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { ControllerID, exact, SettingValue } from '../../core/schemas.ts'
import { SettingChange } from './setting-change.ts'
import { orderOfOne } from './setting-order.ts'

const setting = <const N extends string, const P extends string, const K extends string>(
  name: N,
  path: P,
  what: string,
  keys: readonly [K, ...K[]],
) =>
  call({
    // A setting like any other, whatever call it came by: same permit, same history, same way back.
    area: 'settings',
    permission: 'devmon.params',
    method: 'PUT',
    audited: true,
    data: SettingChange,
    name,
    path,
    scope: { kind: 'device', id: 'ControllerID', spec: `PUT ${path}` } as const,
    touches: ['settings', 'lines'],
    summary: `${what}; proven by the settings the detector then reports`,
    body: Type.Object(
      {
        ControllerID,
        ...orderOfOne,
        Settings: Type.Object(Object.fromEntries(keys.map((key) => [key, Type.Optional(SettingValue)])), {
          ...exact,
          minProperties: 1,
        }),
      },
      exact,
    ),
  })

export const detectorSetPoints = setting('detectorSetPoints', '/detector/tcqset', 'Set points of a fire detector', [
  'residual.alarm',
  'temperature.alarm',
])
export const detectorAlarmSwitches = setting('detectorAlarmSwitches', '/detector/alarmset', 'Alarm switches of a fire detector', [
  'residual.enabled',
  'temperature.enabled',
])

/** The calls of the specification that set a detector, for the one handler they have. */
export const detectorSettingCalls = [detectorSetPoints, detectorAlarmSwitches] as const
