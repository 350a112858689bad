import { language } from '../../ui/i18n.ts'
import type { Choice } from '../../ui/pick-list.tsx'

/** Every IANA time zone the browser knows; UTC is not among the browser's own list. */
export const timeZones: readonly Choice[] = [...Intl.supportedValuesOf('timeZone'), 'UTC'].map((zone) => ({
  value: zone,
  label: zone,
}))

let named: readonly Choice[] | undefined

/** Every currency of ISO 4217, with its name in the person's language. */
export function currencies(): readonly Choice[] {
  const names = new Intl.DisplayNames(language() === 'EN' ? 'en' : 'zh-CN', { type: 'currency' })
  named ??= Intl.supportedValuesOf('currency').map((code) => ({ value: code, label: code, note: names.of(code) ?? code }))
  return named
}
