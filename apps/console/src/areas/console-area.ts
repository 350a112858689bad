import type { Area } from '@linewarden/contract'
import type { ComponentType } from 'react'
import type { LiveListener } from '../app/net/live-link.ts'

/** Pages by their routes, each in a file that comes when it is opened. */
export type ConsolePages = Readonly<Record<string, () => Promise<ComponentType>>>

type Texts = Readonly<Record<string, { readonly zh: object; readonly en: object }>>

export interface ConsoleArea<T extends Texts> {
  readonly name: Area
  /** They stand in a file of their own, `pages.ts`: the first draw knows where each page is, and loads nothing else of an area. */
  readonly pages: ConsolePages
  /** By their namespaces, both languages side by side. */
  readonly texts: T
  /** What the area does with what comes live. */
  readonly live: LiveListener | null
}

type NoTexts = Readonly<Record<never, never>>

/** What an area is in the console. */
export const consoleArea = <const T extends Texts = NoTexts>(
  name: Area,
  { pages = {}, texts, live }: { readonly pages?: ConsolePages; readonly texts?: T; readonly live?: LiveListener },
): ConsoleArea<T> => ({ name, pages, texts: texts ?? ({} as T), live: live ?? null })
