import type { Text } from '@linewarden/equipment'
import { foldOf } from './fold.ts'
import type { IdOf, SubjectKindData } from './subject-kind.ts'
import { kind, numbered } from './subject-kind.ts'

const ofAccount = {
  /** By its name, in lower case. */
  account: kind('账号', 'Account', 'name'),
  /** By its id in the database, as a refused request names it. */
  accountId: kind('账号', 'Account', 'name'),
  role: numbered('角色', 'Role'),
} as const
const ofSite = {
  project: numbered('项目', 'Project'),
  group: numbered('分组', 'Group'),
  /** By the number that stands on it. */
  gateway: kind('网关', 'Gateway', 'name'),
  /** By its number in the database: as a refused request names it, or one that is not there any more. */
  gatewayId: numbered('网关', 'Gateway'),
  device: kind('设备', 'Device', 'name'),
  line: kind('线路', 'Line', 'line'),
} as const
const ofControl = {
  /** A group operation. */
  run: kind('批量操作', 'Group operation', 'name'),
  /** What the control password was given for, as the caller named it. */
  operation: kind('控制操作', 'Operation', 'name'),
  /** Only in entries from before 2026-11: an inspection of a gateway or of one device, which its number does not say. */
  gatewayOrDevice: kind('网关或设备', 'Gateway or device', 'name'),
} as const
const ofSettings = {
  /** `{lines}/{BatchID}`; `{BatchID}` where it is not told how many they are. */
  batch: kind('批量参数', 'Settings of several lines', 'name'),
  /** One change of settings, as a refused request names it. */
  change: kind('参数下发', 'Change of settings', 'name'),
  template: numbered('参数模板', 'Settings template'),
} as const
const ofAlarm = { event: numbered('事件', 'Event') } as const
const ofPush = { push: kind('推送订阅', 'Push subscription', 'push') } as const
const ofFirmware = { campaign: numbered('升级任务', 'Upgrade'), image: numbered('固件', 'Firmware') } as const
const ofAudit = {
  /** What has no id: it has none yet, it is all there is of its kind, or a request named several. */
  nothing: kind('其他', 'Other', 'name'),
} as const

/** What an entry of the audit log can be about, as the areas declare it. */
export const subjectKinds = foldOf(ofAccount, ofSite, ofControl, ofSettings, ofAlarm, ofPush, ofFirmware, ofAudit)

export type SubjectKind = keyof typeof subjectKinds

/** What an entry of the audit log is about. */
export type AuditSubject = {
  readonly [K in SubjectKind]: { readonly kind: K; readonly id: IdOf<(typeof subjectKinds)[K]> }
}[SubjectKind]

export const aboutNothing = { kind: 'nothing', id: '' } as const satisfies AuditSubject

/** Kinds that are known by a number of the database. */
export type NumberedKind = { [K in SubjectKind]: (typeof subjectKinds)[K]['id'] extends 'number' ? K : never }[SubjectKind]

export const about = <const K extends NumberedKind>(kind: K, id: number | bigint) => ({ kind, id: `${id}` }) as const

/** The account of that name, in whatever case. */
export const aboutAccount = (userName: string) => ({ kind: 'account', id: userName.toLowerCase() }) as const

export const aboutRun = (runId: string) => ({ kind: 'run', id: runId }) as const

export const aboutPush = (projectId: number, pushId: number) => ({ kind: 'push', id: `${projectId}/${pushId}` }) as const

export const aboutBatch = (batchId: string, lines?: number) =>
  ({ kind: 'batch', id: lines === undefined ? batchId : `${lines}/${batchId}` }) as const

const isSubjectKind = (kind: string): kind is SubjectKind => Object.hasOwn(subjectKinds, kind)

/** A subject as the database has it; about nothing where a later version wrote a kind that this one does not know. */
export const subjectStored = (kind: string | null, id: string | null): AuditSubject =>
  kind !== null && isSubjectKind(kind) ? ({ kind, id: id ?? '' } as AuditSubject) : aboutNothing

/** Its kind and id in words, without what it is called. */
export function subjectWords({ kind, id }: AuditSubject): Text {
  const [, count, batchId] = kind === 'batch' ? (/^(\d+)\/(.+)$/.exec(id) ?? []) : []
  if (count !== undefined) return { zh: `${count} 条线路 · ${batchId}`, en: `${count} lines · ${batchId}` }
  if (kind === 'push') return { zh: `推送订阅 ${id.split('/')[1]}`, en: `Push subscription ${id.split('/')[1]}` }
  const { label, labelled }: SubjectKindData = subjectKinds[kind]
  return labelled ? { zh: `${label.zh} ${id}`, en: `${label.en} ${id}` } : { zh: id, en: id }
}

/** What somebody means who types a thing as it is shown, `项目 12`; null: it is typed otherwise. */
export function subjectTyped(part: string): AuditSubject | null {
  for (const [kind, { label, labelled }] of Object.entries<SubjectKindData>(subjectKinds)) {
    const [, id] = new RegExp(`^(?:${label.zh}|${label.en})\\s*0*(\\d{1,9})$`, 'i').exec(part.trim()) ?? []
    if (labelled && id !== undefined) return subjectStored(kind, id)
  }
  return null
}
