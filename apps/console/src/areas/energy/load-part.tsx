import type { LoadAbout, LoadQuarterRow, Project } from '@linewarden/contract'
import { zoneClock } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { startOfDay } from '@linewarden/rules/energy'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { momentText } from '../../ui/moment-text.ts'
import { Page } from '../../ui/page.tsx'
import { useByNow } from '../../ui/use-now.ts'
import type { EnergyScope } from './energy-of.tsx'
import { EnergyTabs, energyPanel } from './energy-tabs.tsx'
import { KnownPeriod } from './known-period.tsx'
import { DurationPanel } from './load-duration.tsx'
import { HeatPanel } from './load-heat.tsx'
import { LargestPanel } from './load-largest.tsx'
import { ProfilePanel } from './load-profile.tsx'
import { LoadNotes, LoadStrip } from './load-strip.tsx'
import { loads } from './load-texts.ts'
import type { EnergyAddress } from './period.ts'
import { periodName, periodOf } from './period.ts'
import type { Go } from './period-tools.tsx'
import { PeriodTools } from './period-tools.tsx'
import { useEnergyAddress } from './use-energy-address.ts'
import type { LoadAsked } from './use-load.ts'
import { useLoad } from './use-load.ts'
import './load.css'

addTexts({ loads })

/** Years side by side make no load of one period: of them the year of the address is shown. */
const units = ['hour', 'day', 'month'] as const

/** When how much is drawn by a project, a gateway or a line, and how evenly. */
export function EnergyLoad({ project, scope, choice }: { project: Project; scope: EnergyScope; choice?: ReactNode }) {
  const { t } = useTranslation(['loads', 'energy'])
  const zone = civilZone(project.TimeZone)
  const today = useByNow((now) => zone.dayAt(now))
  const [before, go] = useEnergyAddress(today)
  const unit = units.find((each) => each === before.unit) ?? 'month'
  const address = { ...before, unit }
  const { first, end } = periodOf(address)
  const asked = { ...scope.ask, From: dateText(first), To: dateText(end) }
  const { query, rows, about } = useLoad(asked, 'max')
  return (
    <Page title={t('energy:title')} crumb={scope.name}>
      <EnergyTabs />
      {choice}
      <PeriodTools
        {...{ address, today, go }}
        units={{ label: t('periods'), options: units.map((each) => ({ value: each, label: t(`units.${each}`) })) }}
      />
      <Unloaded query={query} />
      {rows && about && (
        <div
          className="energy-body energy-load"
          id={energyPanel}
          role="tabpanel"
          aria-label={t('energy:load')}
          aria-busy={query.isPlaceholderData}
        >
          <Body {...{ rows, about, address, asked, today, go }} name={scope.name} />
        </div>
      )}
    </Page>
  )
}

function Body(props: {
  rows: readonly LoadQuarterRow[]
  about: LoadAbout
  address: EnergyAddress
  asked: LoadAsked
  name: string
  today: number
  go: Go
}) {
  const { rows, about, address, asked, name, today, go } = props
  const { t } = useTranslation(['loads', 'energy'])
  const period = periodOf(address)
  const at = momentText('minute', zoneClock(about.Zone).local(about.At))
  const never = { title: t('energy:never'), hint: t('energy:neverHint') }
  return (
    <KnownPeriod {...{ address, today, go, never }} zone={about.Zone} since={about.Since}>
      <p className="load-sheet">{t('sheet', { name, period: periodName(address.unit, period), at })}</p>
      <LoadStrip about={about} from={startOfDay(civilZone(about.Zone), period.first)} />
      <LoadNotes about={about} />
      <div className="load-panels">
        <ProfilePanel asked={asked} />
        <DurationPanel asked={asked} />
        <HeatPanel asked={asked} />
        <LargestPanel rows={rows} about={about} />
      </div>
      <p className="energy-foot mute">
        {about.Boundary === 'feed' && <span>{t('energy:boundaryFeed')}</span>}
        {about.Boundary === 'virtual' && <span>{t('energy:boundaryVirtual')}</span>}
        {about.Boundary === 'sum' && <span>{t('energy:boundarySum')}</span>}
        <span>{t('energy:zone', { zone: about.Zone })}</span>
      </p>
    </KnownPeriod>
  )
}
