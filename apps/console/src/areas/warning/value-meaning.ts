import type { TFunction } from 'i18next'
import i18next from 'i18next'

/** What the value of a finding is, by the key of its detector; null: an alarm of the equipment says it by its name. */
export const valueMeaning = (t: TFunction<'warning'>, key: string): string | null =>
  i18next.exists(`warning:valueOf.${key}`) ? t(`valueOf.${key}` as 'valueOf.contact') : null
