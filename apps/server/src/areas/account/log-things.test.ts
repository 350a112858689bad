import type { AuditAction } from '@linewarden/contract'
import { expect, test } from 'vitest'
import type { Thing } from './log-things.ts'
import { labelOf, targetTyped, thingOf } from './log-things.ts'

/** A plant where everything is called by what it is. */
const nameOf = (thing: Thing) => ({ zh: `名${thing.is}`, en: `a ${thing.is}` })
const unknown = () => null
const label = (action: AuditAction, target: string, name: typeof nameOf | typeof unknown = nameOf) =>
  labelOf(thingOf(action, target), target, name)

test.each<[AuditAction, string, string, string]>([
  ['project.edit', 'project 12', '项目 12 · 名project', 'Project 12 · a project'],
  ['group.move', 'group 3', '分组 3 · 名group', 'Group 3 · a group'],
  ['role.delete', 'role 5', '角色 5 · 名role', 'Role 5 · a role'],
  ['firmware.pause', 'campaign 4', '升级任务 4 · 名campaign', 'Upgrade 4 · a campaign'],
  ['firmware.outcome', 'gateway 7', '网关 7 · 名gateway', 'Gateway 7 · a gateway'],
  ['firmware.outcome', 'GW-7', 'GW-7 · 名gateway number', 'GW-7 · a gateway number'],
  ['gateway.rename', 'GW-7', 'GW-7 · 名gateway number', 'GW-7 · a gateway number'],
  ['inspection.begin', 'T-1', 'T-1 · 名gateway number or device', 'T-1 · a gateway number or device'],
  ['token.issue', 'T-1', 'T-1 · 名device', 'T-1 · a device'],
  ['line.trip', 'T-1/2', 'T-1/2 · 名line', 'T-1/2 · a line'],
  ['setting.console', 'T-1/2', 'T-1/2 · 名line', 'T-1/2 · a line'],
  ['setting.copy', '12 lines, 4f1c', '12 条线路 · 4f1c', '12 lines · 4f1c'],
  ['event.acknowledge', '9007199254740993', '事件 9007199254740993 · 名event', 'Event 9007199254740993 · a event'],
  ['control.grant', 'trip:T-1/2', '分闸 · T-1/2 · 名line', 'Trip line · T-1/2 · a line'],
  ['control.grant', 'close:run/4f1c', '批量合闸 · 4f1c', 'Close several lines · 4f1c'],
  ['control.grant', `close:run/4f1c/${'a1'.repeat(32)}`, '批量合闸 · 4f1c', 'Close several lines · 4f1c'],
  ['control.grant', `set:4f1c/${'a1'.repeat(32)}`, '下发参数 · 4f1c', 'Change settings · 4f1c'],
  ['control.grant', `reclosure:T-1/2/${'a1'.repeat(32)}`, '设置自动重合闸 · T-1/2 · 名line', 'Set auto-reclose · T-1/2 · a line'],
  ['control.grant', 'reclosure:T-1/2', '设置自动重合闸 · T-1/2 · 名line', 'Set auto-reclose · T-1/2 · a line'],
  [
    'push.edit',
    'project 3 push 5',
    '项目 3 · 名project · 推送订阅 5 · 名push',
    'Project 3 · a project · Push subscription 5 · a push',
  ],
  // Refused, by the call's name: numbers that nobody has looked at.
  ['operateLine', 'T-1/2', 'T-1/2 · 名line', 'T-1/2 · a line'],
  ['deleteProject', '12', '项目 12 · 名project', 'Project 12 · a project'],
  ['rotateSecret', '7', '网关 7 · 名gateway', 'Gateway 7 · a gateway'],
])('%s of %j is shown as %j, %j', (action, target, zh, en) => {
  expect(label(action, target)).toEqual({ zh, en })
})

test.each<[AuditAction, string]>([
  ['template.add', 'project 12'],
  ['template.add', 'GW-7'],
  ['login', '13900000001'],
  ['group.add', '照明'],
  ['firmware.upload', 'LW-G2 1.4.0'],
  ['run.stop', '4f1c'],
  ['control.grant', 'toString:T-1/2'],
  ['startRun', 'T-1/2 T-1/3'],
  // It may be a gateway's number or a controller's.
  ['inspect', '12'],
  ['branding.edit', ''],
])('%s of %j is a name already, or says nothing more', (action, target) => {
  expect(label(action, target)).toEqual({ zh: target, en: target })
})

test('what is gone, or not seen, is shown by its number alone', () => {
  expect(label('project.edit', 'project 12', unknown)).toEqual({ zh: '项目 12', en: 'Project 12' })
  expect(label('line.trip', 'T-1/2', unknown)).toEqual({ zh: 'T-1/2', en: 'T-1/2' })
})

test.each([
  ['项目 12', 'project 12'],
  [' 项目12 ', 'project 12'],
  ['upgrade 4', 'campaign 4'],
  ['项目', null],
  ['项目 12 号楼', null],
  ['12', null],
])('%j is searched for as %j', (part, target) => expect(targetTyped(part)).toBe(target))
