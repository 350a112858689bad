import type { AuditAction } from '@linewarden/contract'
import type { Actor } from '../http/context.ts'

/** Who does what now, as the audit log wants it. */
export const by = ({ userName, address, tree }: Actor, at: number, action: AuditAction) =>
  ({ at, actor: userName, address, tree, action, outcome: 'done' }) as const
