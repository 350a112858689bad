import type { Text } from '@linewarden/equipment'

export interface Message extends Text {
  /** HTTP status of the reply, which says Code 0 whatever it is. */
  readonly status: number
}

/** What a person reads who is refused; `{name}` is filled from the detail of the refusal. */
/* @__NO_SIDE_EFFECTS__ */
export const message = (zh: string, en: string, status = 200): Message => ({ zh, en, status })
