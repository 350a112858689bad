import { expect, test } from 'vitest'
import { actorName, actorTyped } from './actors.ts'

test.each([
  ['system', '系统', 'System'],
  ['push:onenet', '推送：onenet', 'Push: onenet'],
  ['token:13900000001', '访问码：13900000001', 'Device token: 13900000001'],
  ['13900000001', '13900000001', '13900000001'],
  ['systems', 'systems', 'systems'],
])('%s is shown as %s, %s, and found by it', (actor, zh, en) => {
  expect(actorName(actor)).toEqual({ zh, en })
  expect([zh, en].map(actorTyped)).toEqual([actor, actor])
})

test.each([
  ['访问码', 'token:'],
  ['push', 'push:'],
  ['系', '系'],
  ['推送员', '推送员'],
  ['', ''],
])('%j typed is %j', (part, wanted) => expect(actorTyped(part)).toBe(wanted))
