import type { AuditAction, Refusal } from '@linewarden/contract'
import type { Actor } from '../http/context.ts'

/** Who does what now, as the audit log wants it. */
export const by = ({ userName, address, tree }: Actor, at: number, action: AuditAction) =>
  ({ at, actor: userName, address, tree, action, outcome: 'done' }) as const

const written = new WeakSet<Refusal>()

/** This refusal stands in the log with all that is known where it was made; on its way out nobody writes it again. */
export const refusalWritten = (refusal: Refusal): void => void written.add(refusal)

export const isWritten = (refusal: Refusal): boolean => written.has(refusal)
