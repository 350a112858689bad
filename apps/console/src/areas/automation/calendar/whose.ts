/** Whose days: of one project, or of all projects of its owner. */
export type Whose = 'project' | 'owner'

/** As calls name it. */
export const forWhom = (whose: Whose): { readonly For?: 'owner' } => (whose === 'owner' ? { For: whose } : {})
