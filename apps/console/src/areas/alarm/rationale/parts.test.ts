import type { AlarmRationaleRecord } from '@linewarden/contract'
import { expect, test } from 'vitest'
import type { SheetFilter } from './parts.ts'
import { passes } from './parts.ts'

const both = (zh: string, en: string) => ({ zh, en })
const written: AlarmRationaleRecord = {
  HouseID: 1,
  Key: 'residual.alarm',
  Label: both('剩余电流报警', 'Residual current alarm'),
  Kind: 'alarm',
  AlarmPriority: 'high',
  Families: [],
  Origin: 'project',
  Texts: {
    ...{ Cause: both('受潮', 'damp'), Consequence: both('跳闸', 'it trips'), Action: both('停电测绝缘', 'test the insulation') },
    ...{ Time: both('当天', 'today'), Priority: both('甲', 'a'), Basis: both('乙', 'b') },
  },
  PriorityFixed: false,
  Version: 1,
  ChangedAt: 0,
  ChangedBy: 'admin',
}
const empty: AlarmRationaleRecord = { ...written, Origin: 'none', Texts: null }

test.each<[string, AlarmRationaleRecord, Partial<SheetFilter>, 'project' | 'default', boolean]>([
  ['everything', written, {}, 'project', true],
  ['its name in the other language', written, { text: ' residual CURRENT ' }, 'project', true],
  ['its key', written, { text: 'residual.al' }, 'project', true],
  ['what is to be done', written, { text: '测绝缘' }, 'project', true],
  ['nothing of it', written, { text: '烟雾' }, 'project', false],
  ['without an answer', written, { show: 'unanswered' }, 'project', false],
  ['without an answer, and it has none', empty, { show: 'unanswered' }, 'project', true],
  ['changed here', written, { show: 'written' }, 'project', true],
  ['changed here, but it was for a project', written, { show: 'written' }, 'default', false],
  ['changed here, but nobody did', empty, { show: 'written' }, 'project', false],
])('asked for %s', (_, row, filter, here, expected) => {
  expect(passes(row, { text: '', show: 'all', ...filter }, here)).toBe(expected)
})
