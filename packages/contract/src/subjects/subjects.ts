import type { Text } from '@linewarden/equipment'
import { subjectKinds } from '../core/names.ts'
import type { IdOf, SubjectKindData } from '../terms/subject-kind.ts'

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

export const aboutGroupOperation = (operationId: string) => ({ kind: 'run', id: operationId }) as const

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
