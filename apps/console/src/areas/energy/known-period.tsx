import type { CivilDay } from '@linewarden/rules/automation'
import { civilZone, dateText } from '@linewarden/rules/automation'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../ui/body-state.tsx'
import type { EnergyAddress } from './period.ts'
import { periodOf } from './period.ts'
import type { Go } from './period-tools.tsx'

/** What is known of a period; or that it has not begun, lies before anything was known, or that nothing ever was, and where to go instead. */
export function KnownPeriod(props: {
  address: EnergyAddress
  today: CivilDay
  zone: string
  /** Since when something is known, Unix ms. */
  since: number | null
  never: { readonly title: string; readonly hint: string }
  go: Go
  children: ReactNode
}) {
  const { address, today, zone, since, never, go, children } = props
  const { t } = useTranslation('energy')
  const { first, end } = periodOf(address)
  if (first > today) return <Empty title={t('future')} action={{ label: t('toNow'), run: () => go({ day: today }) }} />
  if (since === null) return <Empty {...never} />
  const begun = civilZone(zone).dayAt(since)
  if (end > begun) return children
  return (
    <Empty
      title={t('early')}
      hint={t('earlyHint', { since: dateText(begun) })}
      action={{ label: t('toSince'), run: () => go({ day: begun }) }}
    />
  )
}
