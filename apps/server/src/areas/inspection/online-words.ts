import type { Text } from '@linewarden/equipment'
import { onlineCheckNames } from '@linewarden/rules/inspection'

/** What a check is called; one of an older version by its key. */
export const checkText = (check: string): Text =>
  Object.hasOwn(onlineCheckNames, check) ? onlineCheckNames[check as keyof typeof onlineCheckNames] : { zh: check, en: check }
