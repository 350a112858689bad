import type { EnergyPicture, EnergyRow, EnergyRunning, getEnergy, Project, Request, reportEnergy } from '@linewarden/contract'
import { getEnergy as energyCall, maxReportDays } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../app/net/lazy-part.tsx'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import type { Selection } from '../../plant/equipment.ts'
import { useSelection } from '../../plant/selection.ts'
import { Page } from '../../ui/page.tsx'
import { useByNow } from '../../ui/use-now.ts'
import { EnergyChart } from './energy-chart.tsx'
import { EnergyParts } from './energy-parts.tsx'
import { EnergyStrip } from './energy-strip.tsx'
import { EnergyTable } from './energy-table.tsx'
import { EnergyTabs, energyPanel } from './energy-tabs.tsx'
import { shownKwh } from './figures.ts'
import { KnownPeriod } from './known-period.tsx'
import type { OpenOrigin } from './origin-figure.tsx'
import type { EnergyAddress } from './period.ts'
import { everyMs, periodName, periodOf } from './period.ts'
import type { Go } from './period-tools.tsx'
import { PeriodTools, unitsNamed } from './period-tools.tsx'
import { useEnergyAddress } from './use-energy-address.ts'
import { useOrigin } from './use-origin.ts'
import { useRunning } from './use-running.ts'

const Origin = lazyPart(async () => (await import('./origin-drawer.tsx')).OriginDrawer)

/** What is counted, and what it is called. */
export interface EnergyScope {
  readonly ask: Pick<Request<typeof getEnergy>['query'], 'HouseID' | 'DeviceID' | 'LineID' | 'MeterID'>
  readonly name: string
  /** What it is made of, side by side; null: nothing smaller. */
  readonly parts: Pick<Request<typeof reportEnergy>['body'], 'Rows' | 'HouseIDs' | 'DeviceID'> | null
}

/** Energy of a project, a gateway or a line. */
export function EnergyOf({ project, scope, choice }: { project: Project; scope: EnergyScope; choice?: ReactNode }) {
  const { t } = useTranslation('energy')
  const zone = civilZone(project.TimeZone)
  const today = useByNow((now) => zone.dayAt(now))
  const [address, go] = useEnergyAddress(today)
  const [, select] = useSelection()
  const origin = useOrigin()
  const { unit, compare } = address
  const { first, end } = periodOf(address)
  const ask = {
    ...{ ...scope.ask, Unit: unit, From: dateText(first), To: dateText(end) },
    ...(compare && { Compare: compare }),
  }
  // The former picture stays, greyed, until the new one is there.
  const query = useCall(energyCall, { query: ask }, { placeholderData: keepPreviousData, refetchInterval: everyMs })
  const picture = useShown(query)
  const { MeterID, ...places } = scope.ask
  const running = useRunning(places, MeterID === undefined && first <= today && today < end)
  return (
    <Page title={t('title')} crumb={scope.name}>
      <EnergyTabs />
      {choice}
      <PeriodTools {...{ address, today, go }} units={unitsNamed(t)} isCompared />
      <Unloaded query={query} />
      {picture && (
        <div
          className="energy-body"
          id={energyPanel}
          role="tabpanel"
          aria-label={t('overview')}
          aria-busy={query.isPlaceholderData}
        >
          <Body {...{ picture, running, address, today, go }} name={scope.name} onOrigin={origin.open}>
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
      {origin.places.length > 0 && (
        <Suspense fallback={null}>
          <Origin ask={scope.ask} places={origin.places} go={origin.go} />
        </Suspense>
      )}
    </Page>
  )
}

/** A line, or a gateway, as the tree selects it. */
const placeOf = ({ HouseID, DeviceID, LineID }: EnergyRow): Selection =>
  LineID === null ? { kind: 'gateway', house: HouseID, id: DeviceID ?? 0 } : { kind: 'line', house: HouseID, id: LineID }

function Body(props: {
  picture: EnergyPicture
  running: EnergyRunning | null
  address: EnergyAddress
  name: string
  today: number
  go: Go
  onOrigin: OpenOrigin
  children: ReactNode
}) {
  const { picture, running, address, name, today, go, onOrigin, children } = props
  const { t } = useTranslation('energy')
  const { Bars, Total, Compared, Since, Zone, Boundary } = picture
  const shown = shownKwh(Bars, Total.Wh)
  const never = { title: t('never'), hint: t('neverHint') }
  return (
    <KnownPeriod {...{ address, today, go, never }} zone={Zone} since={Since}>
      <EnergyStrip {...{ picture, shown, running, onOrigin }} period={periodName(address.unit, periodOf(address))} />
      <Legend picture={picture} running={running} />
      <EnergyChart bars={Bars} running={running} label={t('chart', { name, total: shown.total })} />
      {children}
      <EnergyTable
        {...{ bars: Bars, at: picture.At, unit: address.unit, shown, isCompared: Compared !== null, onOpen: go, onOrigin }}
      />
      <p className="energy-foot mute">
        {Boundary === 'feed' && <span>{t('boundaryFeed')}</span>}
        {Boundary === 'virtual' && <span>{t('boundaryVirtual')}</span>}
        {Boundary === 'sum' && <span>{t('boundarySum')}</span>}
        <span>{t('zone', { zone: Zone })}</span>
      </p>
    </KnownPeriod>
  )
}

/** Only what is in the picture. */
function Legend({ picture: { Bars, Compared }, running }: { picture: EnergyPicture; running: EnergyRunning | null }) {
  const { t } = useTranslation('energy')
  return (
    <p className="energy-legend" aria-hidden="true">
      <span className="energy-key used">{t('keyUsed')}</span>
      {Bars.some(({ Spread }) => Spread > 0) && <span className="energy-key spread">{t('keySpread')}</span>}
      {Bars.some(({ Entered, Estimated }) => Entered + Estimated > 0) && (
        <span className="energy-key typed">{t('keyTyped')}</span>
      )}
      {Bars.some(({ LackingS }) => LackingS > 0) && <span className="energy-key gap">{t('keyGap')}</span>}
      {running && <span className="energy-key running">{t('keyRunning')}</span>}
      {Compared && <span className="energy-key other">{t('keyOther')}</span>}
    </p>
  )
}
