import type { Actor } from '../http/context.ts'

/** Who does something now, as the audit log wants it. */
export const by = ({ userName, address }: Actor, at: number) => ({ at, actor: userName, address, outcome: 'done' }) as const
