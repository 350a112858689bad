import type { Text } from '@linewarden/equipment'

/* @__NO_SIDE_EFFECTS__ */
export const text = (zh: string, en: string): Text => ({ zh, en })

/** How the audit trail names a call that was refused. */
/* @__NO_SIDE_EFFECTS__ */
export const refused = (zh: string, en: string): Text => ({ zh: `${zh}（被拒绝）`, en: `${en} (refused)` })
