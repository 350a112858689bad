import * as Type from 'typebox'
import { call, listBodyBytes } from '../../core/call.ts'
import { ControllerID, exact, id, optional, SettingValue, uuid } from '../../core/schemas.ts'
import { SettingChange, TargetResult } from './setting-change.ts'
import { LineNo, maxTargets, orderOfMany, orderOfOne, SettingKey, SettingTarget, toSet, WantedValues } from './setting-order.ts'

const onLine = { ...toSet, scope: { kind: 'line', device: 'ControllerID', line: 'LineNo' } } as const

export const setStatus = call({
  ...toSet,
  scope: { kind: 'line', device: 'ID', line: 'LineNo' },
  name: 'setStatus',
  audited: true,
  method: 'PUT',
  path: '/status/:ID/:type/:attr',
  touches: ['settings', 'lines'],
  summary: 'Set one value of a line: `overload/trip`, `leakage/trip`, `overvoltage/trip`',
  params: Type.Object(
    { ID: ControllerID, type: Type.String({ minLength: 1, maxLength: 32 }), attr: Type.String({ minLength: 1, maxLength: 32 }) },
    exact,
  ),
  body: Type.Object({ LineNo, Value: SettingValue, ...orderOfOne }, exact),
  data: SettingChange,
})

export const setController = call({
  ...toSet,
  scope: { kind: 'controller', id: 'ControllerID' },
  name: 'setController',
  audited: true,
  method: 'PUT',
  path: '/status/:ControllerID',
  touches: ['settings', 'lines'],
  summary: 'Set the same values on every line of a device',
  params: Type.Object({ ControllerID }, exact),
  body: Type.Object({ Settings: WantedValues, ...orderOfMany }, exact),
  datas: TargetResult,
})

export const updateLine = call({
  ...onLine,
  name: 'updateLine',
  audited: true,
  method: 'PUT',
  path: '/devices/updateline',
  touches: ['settings', 'lines'],
  summary: 'Set values of one line; all of them are taken or none',
  body: Type.Object({ ControllerID, LineNo, Settings: WantedValues, ...orderOfOne }, exact),
  data: SettingChange,
})

export const updateThreeLine = call({
  ...onLine,
  name: 'updateThreeLine',
  audited: true,
  method: 'PUT',
  path: '/lines/threeline/update',
  touches: ['settings', 'lines'],
  summary: 'Set values of a three-phase line; any other line is refused',
  body: Type.Object({ ControllerID, LineNo, Settings: WantedValues, ...orderOfOne }, exact),
  data: SettingChange,
})

export const updateLines = call({
  ...toSet,
  scope: { kind: 'own' },
  name: 'updateLines',
  subject: [
    { kind: 'line', each: 'Targets' },
    { kind: 'template', id: 'TemplateID' },
  ],
  maxBodyBytes: listBodyBytes,
  audited: true,
  method: 'PUT',
  path: '/devices/updateline/batch',
  touches: ['settings', 'lines'],
  summary: 'Set the same values on many lines; each line answers for itself',
  body: Type.Object(
    {
      Targets: Type.Array(SettingTarget, { minItems: 1, maxItems: maxTargets }),
      Settings: WantedValues,
      TemplateID: optional({ ...id, description: 'Where the values come from; absent: copied by hand' }),
      ...orderOfMany,
    },
    exact,
  ),
  datas: TargetResult,
})

export const setReportingInterval = call({
  ...toSet,
  scope: { kind: 'gateway', id: 'DeviceID' },
  name: 'setReportingInterval',
  audited: true,
  method: 'PUT',
  path: '/devices/interval',
  touches: ['settings', 'lines'],
  summary: 'Set how often a gateway reports',
  body: Type.Object({ DeviceID: id, Seconds: Type.Integer({ minimum: 0, maximum: 86_400 }), ...orderOfOne }, exact),
  data: SettingChange,
})

export const undoSetting = call({
  ...toSet,
  scope: { kind: 'own' },
  name: 'undoSetting',
  subject: [{ kind: 'change', id: 'ChangeID' }],
  audited: true,
  method: 'PUT',
  path: '/settings/undo',
  touches: ['settings', 'lines'],
  summary:
    'Set what one change had changed back to what it was before. What was changed again since is refused, unless it is in `Seen`',
  body: Type.Object(
    {
      ChangeID: uuid,
      /** What the person was shown as standing there now. */
      Seen: optional(Type.Array(Type.Object({ Key: SettingKey, Value: SettingValue }, exact), { maxItems: 64 })),
      ...orderOfOne,
    },
    exact,
  ),
  data: SettingChange,
})
