import type { TFunction } from 'i18next'
import i18next from 'i18next'

/** What the value of a finding is, by the key of its detector. */
export const valueMeaning = (t: TFunction<'warning'>, key: string): string =>
  i18next.exists(`warning:valueOf.${key}`) ? t(`valueOf.${key}` as 'valueOf.contact') : t('value')
