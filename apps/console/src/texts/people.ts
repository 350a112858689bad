import { inBoth } from './in-both.ts'

/** Roles, users, sessions and the system log. */
export const people = inBoth({ roles: '角色管理' }, { roles: 'Roles' })
