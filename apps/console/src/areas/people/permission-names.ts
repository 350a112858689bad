import type { Page } from '@linewarden/contract'
import { buttons, isButtonPermission, pages } from '@linewarden/contract'
import { localised } from '../../ui/i18n.ts'

const named = new Map(
  (pages as readonly Page[]).flatMap((page) => [page, ...(page.subs ?? [])]).map(({ key, name }) => [key, name] as const),
)

/** What permissions are called, in their own order; a section is not named beside its pages. */
export const permissionNames = (keys: readonly string[]): string[] =>
  keys
    .filter((key) => !keys.some((other) => other.startsWith(`${key}.`)))
    .map((key) => {
      const name = isButtonPermission(key) ? buttons[key] : named.get(key)
      return name ? localised(name) : key
    })
