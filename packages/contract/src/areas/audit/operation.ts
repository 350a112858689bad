import { timerActs } from '../../core/operations.ts'
import type { AuditSubject } from '../../subjects/subjects.ts'
import { aboutBatch, aboutGroupOperation, aboutNothing, subjectStored } from '../../subjects/subjects.ts'
import type { AuditAction } from './actions.ts'
import { isAction } from './actions.ts'

/** What a control password is asked for. */
export interface AskedOperation {
  readonly action: AuditAction
  readonly on: AuditSubject
}

/** Operations that are not those of a line or a group. */
const others: Readonly<Record<string, AuditAction>> = {
  reclosure: 'reclosure.set',
  set: 'setting.console',
  account: 'account.edit',
}

/** The subject of a grant for this `Operation` of the wire; about nothing where there is no such operation. */
export function aboutOperation(operation: string): Extract<AuditSubject, { kind: 'operation' | 'nothing' }> {
  const [, what = '', of = ''] = /^([A-Za-z]+):(.+?)(?:\/[0-9a-f]{64})?$/.exec(operation) ?? []
  const ofAutomation = runOrSavingAsked(what, of)
  if (ofAutomation) return { kind: 'operation', id: ofAutomation }
  const isGroup = of.startsWith('run/')
  const action = [`${isGroup ? 'run' : 'line'}.${what}`, others[what] ?? ''].find(isAction)
  if (action === undefined) return aboutNothing
  const on = isGroup ? aboutGroupOperation(of.slice('run/'.length)) : what === 'set' ? aboutBatch(of) : placeOf(of)
  return { kind: 'operation', id: `${action}:${on.kind}:${on.id}` }
}

const automations = ['timer', 'scene', 'linkage'] as const

/** To run, to save or to take over what acts by itself; null: it is about none of these. */
function runOrSavingAsked(what: string, of: string): string | null {
  const running = what === 'trip' || what === 'close' ? /^(scene|linkage)\/[^/]+\/(\d+)\/\d+$/.exec(of) : null
  if (running) return `${running[1]}.run:${running[1]}:${running[2]}`
  if (what !== 'automation') return null
  const takingOver = /^(timer|scene|linkage):orphans:(\d+)$/.exec(of)
  if (takingOver) return `${takingOver[1]}.owner:project:${takingOver[2]}`
  const acting = /^timer:(\d+):([a-z]+)\/\d+$/.exec(of)
  const act = timerActs.find((each) => each === acting?.[2])
  if (acting && act) return `timer.${act}:timer:${acting[1]}`
  const saving = /^(timer|scene|linkage):(new|\d+)(?::|$)/.exec(of)
  if (!saving) return null
  const kind = automations.find((each) => each === saving[1]) ?? 'timer'
  const on = saving[2] ?? 'new'
  const action: AuditAction = on === 'new' ? `${kind}.add` : `${kind}.edit`
  return on === 'new' ? `${action}:nothing:` : `${action}:${kind}:${on}`
}

function placeOf(of: string): AuditSubject {
  if (/^[^/ ]+\/\d{1,4}$/.test(of)) return { kind: 'line', id: of as `${string}/${number}` }
  return /^[^/ ]+$/.test(of) ? { kind: 'device', id: of } : { kind: 'nothing', id: of }
}

/** What was asked for, of a subject of this kind; null: it tells of none. */
export function operationIn(id: string): AskedOperation | null {
  const [action = '', kind = '', ...rest] = id.split(':')
  return isAction(action) ? { action, on: subjectStored(kind, rest.join(':')) } : null
}
