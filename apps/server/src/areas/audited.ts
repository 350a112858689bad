import type { Actor } from '../http/context.ts'

/** Who does something now, as the audit log wants it. */
export const by = ({ userName, address, tree }: Actor, at: number) =>
  ({ at, actor: userName, address, tree, outcome: 'done' }) as const
