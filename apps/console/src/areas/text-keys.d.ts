import 'i18next'
import type { texts } from './areas.ts'
import type { firstTexts } from './first-texts.ts'
import type { pageTexts } from './page-texts.ts'

/** What `t` knows: a key that is nowhere does not compile. */
type Zh<T> = { [K in keyof T]: T[K] extends { readonly zh: infer Words } ? Words : never }

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app'
    resources: Zh<typeof firstTexts & typeof texts & typeof pageTexts>
  }
}
