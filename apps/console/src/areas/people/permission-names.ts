import type { Page } from '@linewarden/contract'
import { buttons, isButtonPermission, pages as sections } from '@linewarden/contract'
import { localised } from '../../ui/i18n.ts'

const pages: readonly Page[] = sections

const named = new Map(pages.flatMap((page) => [page, ...(page.subs ?? [])]).map(({ key, name }) => [key, name] as const))

/** What permissions are called, in their own order; a section is not named beside its pages. */
export const permissionNames = (keys: readonly string[]): string[] =>
  keys
    .filter((key) => !pages.find((section) => section.key === key)?.subs?.some((page) => keys.includes(page.key)))
    .map((key) => {
      const name = isButtonPermission(key) ? buttons[key] : named.get(key)
      return name ? localised(name) : key
    })
