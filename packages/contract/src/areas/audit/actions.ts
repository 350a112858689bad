import type { Text } from '@linewarden/equipment'
import type { Call } from '../../core/call.ts'
import { mayMoveEquipment } from '../../core/call.ts'
import { actionNames } from '../../core/names.ts'
import { text } from '../../terms/text.ts'

export type AuditAction = keyof typeof actionNames

/**
 * Whoever is refused a change is in the log, whatever the reason and wherever it was found. Who is refused reading learns nothing, and may ask
 * as often as they like: see docs/security.md. A control password that was wrong is counted where it is looked at.
 */
export const refusalLogged = (call: Call): boolean =>
  call.audited === true || (mayMoveEquipment(call) && call.permission !== 'session')

/** How a call that was refused stands in the log: by the call's own name, since what it would have done was not decided yet. */
export const refusedAction = ({ name }: Pick<Call, 'name'>): AuditAction => (isAction(name) ? name : 'call')

/** The action's name; its key in both languages when it has none, as one that a former version wrote. */
export const actionName = (key: string): Text => (isAction(key) ? actionNames[key] : text(key, key))

/** How an entry of the system log went, as people read it. The audit log takes no outcome that is not here. */
export const outcomeNames = {
  done: text('完成', 'Done'),
  // Allowed and written down before it was sent: what became of it is told by the command, or by the change of settings.
  authorised: text('已授权', 'Authorised'),
  refused: text('被拒绝', 'Refused'),
  passed: text('自检合格', 'Self-test passed'),
  failed: text('自检不合格', 'Self-test failed'),
} as const satisfies Readonly<Record<string, Text>>

export type AuditOutcome = keyof typeof outcomeNames

/** The outcome in words; its key in both languages when it has none, as one that a former version wrote. */
export const outcomeName = (key: string): Text =>
  Object.hasOwn(outcomeNames, key) ? outcomeNames[key as AuditOutcome] : text(key, key)

export const isAction = (key: string): key is AuditAction => Object.hasOwn(actionNames, key)
