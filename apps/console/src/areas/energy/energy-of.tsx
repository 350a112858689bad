import type { EnergyPicture, EnergyRow, getEnergy, Project, Request, reportEnergy } from '@linewarden/contract'
import { getEnergy as energyCall, maxReportDays } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { comparisons, energyUnits } from '@linewarden/rules/energy'
import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import type { Selection } from '../../plant/equipment.ts'
import { useSelection } from '../../plant/selection.ts'
import { Empty } from '../../ui/body-state.tsx'
import { FilterSelect, Segments } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MomentChoice } from '../../ui/moment-field.tsx'
import { Page } from '../../ui/page.tsx'
import { useByNow } from '../../ui/use-now.ts'
import { EnergyChart } from './energy-chart.tsx'
import { EnergyParts } from './energy-parts.tsx'
import { EnergyStrip } from './energy-strip.tsx'
import { EnergyTable } from './energy-table.tsx'
import { EnergyTabs, energyPanel } from './energy-tabs.tsx'
import { shownKwh } from './figures.ts'
import type { EnergyAddress } from './period.ts'
import { everyMs, periodName, periodOf, stepped } from './period.ts'
import { useEnergyAddress } from './use-energy-address.ts'

/** What is counted, and what it is called. */
export interface EnergyScope {
  readonly ask: Pick<Request<typeof getEnergy>['query'], 'HouseID' | 'DeviceID' | 'LineID'>
  readonly name: string
  /** What it is made of, side by side; null: nothing smaller. */
  readonly parts: Pick<Request<typeof reportEnergy>['body'], 'Rows' | 'HouseIDs' | 'DeviceID'> | null
}

/** Energy of a project, a gateway or a line. */
export function EnergyOf({ project, scope }: { project: Project; scope: EnergyScope }) {
  const { t } = useTranslation('energy')
  const zone = civilZone(project.TimeZone)
  const today = useByNow((now) => zone.dayAt(now))
  const [address, go] = useEnergyAddress(today)
  const [, select] = useSelection()
  const { unit, compare } = address
  const { first, end } = periodOf(address)
  const ask = {
    ...{ ...scope.ask, Unit: unit, From: dateText(first), To: dateText(end) },
    ...(compare && { Compare: compare }),
  }
  // The former picture stays, greyed, until the new one is there.
  const query = useCall(energyCall, { query: ask }, { placeholderData: keepPreviousData, refetchInterval: everyMs })
  const picture = useShown(query)
  return (
    <Page title={t('title')} crumb={scope.name}>
      <EnergyTabs />
      <div className="energy-tools">
        <Segments
          label={t('units')}
          value={unit}
          options={energyUnits.map((each) => ({ value: each, label: t(each) }))}
          onChange={(to) => go({ unit: to })}
        />
        <Stepper address={address} today={today} go={go} />
        <FilterSelect
          label={t('compare')}
          value={compare ?? ''}
          options={comparisons.map((each) => ({ value: each, label: t(each) }))}
          onChange={(to) => go({ compare: comparisons.find((each) => each === to) ?? null })}
        />
      </div>
      <Unloaded query={query} />
      {picture && (
        <div
          className="energy-body"
          id={energyPanel}
          role="tabpanel"
          aria-label={t('overview')}
          aria-busy={query.isPlaceholderData}
        >
          <Body picture={picture} address={address} name={scope.name} today={today} go={go}>
            {scope.parts && end - first <= maxReportDays && (
              <EnergyParts
                key={`${scope.parts.Rows} ${scope.parts.HouseIDs?.[0]} ${scope.parts.DeviceID}`}
                ask={{ ...scope.parts, From: ask.From, To: ask.To, ...(compare && { Compare: compare }) }}
                caption={t(scope.parts.Rows === 'gateway' ? 'byGateway' : 'byLine')}
                onOpen={(row) => select(placeOf(row))}
              />
            )}
          </Body>
        </div>
      )}
    </Page>
  )
}

export type Go = (to: Partial<EnergyAddress>) => void

/** From period to period; a single day is chosen from a calendar, too. */
export function Stepper({ address, today, go }: { address: EnergyAddress; today: number; go: Go }) {
  const { t } = useTranslation('energy')
  const period = periodOf(address)
  const isLast = period.end > today
  return (
    <span className="energy-stepper" role="group" aria-label={t('period')}>
      <button type="button" className="btn quiet" aria-label={t('earlier')} onClick={() => go({ day: stepped(address, -1) })}>
        <Icon name="left" />
      </button>
      {address.unit === 'hour' ? (
        <MomentChoice
          kind="day"
          label={t('date')}
          at={address.day * dayMs}
          onChoose={(at) => at !== null && go({ day: at / dayMs })}
        />
      ) : (
        <b>{periodName(address.unit, period)}</b>
      )}
      <button
        type="button"
        className="btn quiet"
        aria-label={t('later')}
        disabled={isLast}
        onClick={() => go({ day: stepped(address, 1) })}
      >
        <Icon name="right" />
      </button>
    </span>
  )
}

/** A line, or a gateway, as the tree selects it. */
const placeOf = ({ HouseID, DeviceID, LineID }: EnergyRow): Selection =>
  LineID === null ? { kind: 'gateway', house: HouseID, id: DeviceID ?? 0 } : { kind: 'line', house: HouseID, id: LineID }

function Body(props: {
  picture: EnergyPicture
  address: EnergyAddress
  name: string
  today: number
  go: Go
  children: ReactNode
}) {
  const { picture, address, name, today, go, children } = props
  const { t } = useTranslation('energy')
  const { Bars, Total, Compared, Since, Zone, Boundary } = picture
  const { first, end } = periodOf(address)
  if (first > today) return <Empty title={t('future')} action={{ label: t('toNow'), run: () => go({ day: today }) }} />
  if (Since === null) return <Empty title={t('never')} hint={t('neverHint')} />
  const since = civilZone(Zone).dayAt(Since)
  if (end <= since)
    return (
      <Empty
        title={t('early')}
        hint={t('earlyHint', { since: dateText(since) })}
        action={{ label: t('toSince'), run: () => go({ day: since }) }}
      />
    )
  const shown = shownKwh(Bars, Total.Wh)
  return (
    <>
      <EnergyStrip picture={picture} shown={shown} />
      <Legend picture={picture} />
      <EnergyChart bars={Bars} label={t('chart', { name, total: shown.total })} />
      {children}
      <EnergyTable bars={Bars} unit={address.unit} shown={shown} isCompared={Compared !== null} onOpen={go} />
      <p className="energy-foot mute">
        {Boundary === 'feed' && <span>{t('boundaryFeed')}</span>}
        {Boundary === 'sum' && <span>{t('boundarySum')}</span>}
        <span>{t('zone', { zone: Zone })}</span>
      </p>
    </>
  )
}

/** Only what is in the picture. */
function Legend({ picture: { Bars, Compared } }: { picture: EnergyPicture }) {
  const { t } = useTranslation('energy')
  return (
    <p className="energy-legend" aria-hidden="true">
      <span className="energy-key used">{t('keyUsed')}</span>
      {Bars.some(({ Spread }) => Spread > 0) && <span className="energy-key spread">{t('keySpread')}</span>}
      {Bars.some(({ LackingS }) => LackingS > 0) && <span className="energy-key gap">{t('keyGap')}</span>}
      {Compared && <span className="energy-key other">{t('keyOther')}</span>}
    </p>
  )
}
